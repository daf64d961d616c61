"""Reads: SQL to plain records, each from one moment of the database."""
