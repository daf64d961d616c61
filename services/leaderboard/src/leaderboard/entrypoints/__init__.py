"""The ways in: HTTP, the consumer, the command line."""
