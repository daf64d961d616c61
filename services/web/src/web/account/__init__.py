"""Signing in, up and out; the own account and preferences."""
