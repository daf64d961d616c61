"""Statistics that more than one service states: shares with their intervals, and agreement of votes."""
