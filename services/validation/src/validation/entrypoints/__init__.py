"""How the world reaches the service: HTTP, Kafka and the command line."""
