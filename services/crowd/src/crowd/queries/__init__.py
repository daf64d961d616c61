"""Reads for answers of the HTTP interface."""
