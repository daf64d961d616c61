"""Rules and state of campaigns, assignments and money; standard library only."""
