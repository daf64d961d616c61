"""Builds of served archives from submitted ones."""
