"""Shared code of HTTP processes: the Flask app, problems, limits, TLS, the server and calls to others."""
