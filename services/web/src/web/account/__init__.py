"""Signing in, up and out; a person's account and preferences."""
