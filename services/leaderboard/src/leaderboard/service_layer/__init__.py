"""Commands and queries of the service: answer for a board, rebuild the read model."""
