"""Adapters from the rules to PostgreSQL, argon2, JWTs and events."""
