"""Progress of rounds for task owners: one round in full, and a list of all."""
