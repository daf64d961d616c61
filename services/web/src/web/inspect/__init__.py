"""Asking models outside of a round, and explanations of their answers."""
