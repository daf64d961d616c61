"""Commands of the service: one handler per command."""
