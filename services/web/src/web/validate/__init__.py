"""Voting on examples of others: blind first, then beside what the author claims."""
