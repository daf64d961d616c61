"""Confirmed examples in the open: a page of each, walls of all, reports and moderation."""
