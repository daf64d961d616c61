"""Reads for HTTP answers, from the stored sums."""
