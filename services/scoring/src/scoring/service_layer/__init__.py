"""One handler per command, and what the worker does."""
