"""A round: its figures, its contexts, and its owner's actions."""
