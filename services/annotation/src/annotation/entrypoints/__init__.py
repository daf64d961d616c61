"""Entry points of the service: the command, the HTTP interface and the worker."""
