"""Boards of a task's models: a ranking by the reader's own weights, and a comparison of two models."""
