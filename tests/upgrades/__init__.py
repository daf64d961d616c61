"""Upgrades from the two versions before, each with data."""
