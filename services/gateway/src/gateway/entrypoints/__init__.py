"""Entry points of the gateway: the command and the HTTP interface."""
