"""Validation: other people's votes on examples, and the resolutions that follow."""
