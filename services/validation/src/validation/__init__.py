"""Validation: other people's votes on examples, and what the votes decide."""
