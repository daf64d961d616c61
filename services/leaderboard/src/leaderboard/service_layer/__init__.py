"""What the service does: answer for a board, rebuild the read model."""
