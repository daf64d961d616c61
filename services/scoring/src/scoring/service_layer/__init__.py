"""One handler per command, and the jobs of the worker."""
