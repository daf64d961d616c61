"""Rules and state of validation; standard library only."""
