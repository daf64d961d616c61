"""What connects the rules to PostgreSQL, argon2, JWTs and events."""
