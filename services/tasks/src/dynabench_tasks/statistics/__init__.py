"""Statistics that more than one service reports: shares with their intervals, and agreement of votes."""
