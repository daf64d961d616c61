"""People, roles, sign-in and tokens."""
