"""Upgrades from the two releases before, each with data."""
