"""One handler per command: open a unit of work, load, decide, save, commit."""
