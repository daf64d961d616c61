"""One client class per service."""
