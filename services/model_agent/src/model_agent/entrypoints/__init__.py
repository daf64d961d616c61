"""Outer edge of the agent: its command and its HTTP interface."""
