"""Desired models, served models and the steps between them; no input or output."""
