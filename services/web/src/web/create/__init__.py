"""Writing examples that a target gets wrong, and what becomes of them."""
