"""Results about the standing of a round: progress, effort, and whether the next one is due."""

from dynabench_api import leaderboard

SurvivalPoint = leaderboard.SurvivorsAnswer
Effort = leaderboard.SubjectEffortAnswer
Funnel = leaderboard.FunnelAnswer
BurnUpPoint = leaderboard.BurnUpPointAnswer
Forecast = leaderboard.ForecastAnswer
BurnUp = leaderboard.BurnUpAnswer
Standing = leaderboard.StandingAnswer
RoundStanding = leaderboard.StandingHeadlineAnswer
Evidence = leaderboard.EvidenceAnswer
NextRound = leaderboard.NextRoundAnswer
