"""A round: its figures, its contexts, and what its owner does with it."""
