"""The HTTP API of validation."""
