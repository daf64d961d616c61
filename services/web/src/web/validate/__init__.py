"""Votes on examples of others: first blind, then with the author's claim."""
