"""The command line, the HTTP routes and the worker."""
