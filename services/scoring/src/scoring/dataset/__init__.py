"""Datasets as pure functions: rows, splits, card, Croissant and measurements."""
