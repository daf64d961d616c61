"""Ways into the service."""
