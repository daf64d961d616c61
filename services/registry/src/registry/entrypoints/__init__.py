"""Entry points of the registry."""
