"""Entry points of the service: HTTP, Kafka and the command line."""
