"""Typed results, one module per service."""
