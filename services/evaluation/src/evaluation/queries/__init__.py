"""Reads for HTTP answers: SQL to plain records."""
