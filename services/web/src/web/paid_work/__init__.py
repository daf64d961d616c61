"""Paid work of people whom a crowd platform sends: entry, progress, handing in."""
