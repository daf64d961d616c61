"""Entry points of the service: HTTP and the command line."""
