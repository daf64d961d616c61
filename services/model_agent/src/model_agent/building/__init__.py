"""Builds of the archives that the platform serves from what people sent."""
