"""Rules of people, roles, passwords, sessions and tokens: standard library only."""
