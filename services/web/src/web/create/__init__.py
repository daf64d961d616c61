"""Writing examples that a target gets wrong, and their outcome."""
