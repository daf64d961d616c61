"""Entry points of the service."""
