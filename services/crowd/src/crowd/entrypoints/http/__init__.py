"""The HTTP API of crowd."""
