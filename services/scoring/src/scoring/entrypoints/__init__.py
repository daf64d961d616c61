"""How the outside reaches the service: HTTP and the command line."""
