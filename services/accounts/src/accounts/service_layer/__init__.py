"""One handler per command."""
