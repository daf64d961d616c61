"""How often the intervals of the leaderboard hold the truth, by simulation."""
