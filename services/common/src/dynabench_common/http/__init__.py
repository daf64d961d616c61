"""What every HTTP process shares: the Flask app, problems, limits, TLS, the server and calls to others."""
