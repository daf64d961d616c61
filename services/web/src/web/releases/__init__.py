"""Release of a round as a dataset, and export of its present state."""
