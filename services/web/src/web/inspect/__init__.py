"""Asking models outside of a round, and why they answer as they do."""
