"""Coverage of the leaderboard's intervals, by simulation."""
