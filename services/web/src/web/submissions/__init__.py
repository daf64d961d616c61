"""Submission of models: upload, checks, card, and the published models."""
