"""Typed results, one module per service or theme."""
