"""Votes on other people's examples: first blind, then with the author's claim."""
