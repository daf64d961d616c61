"""Commands of the service: keep weights and frozen boards."""
