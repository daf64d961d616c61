"""Results of the leaderboard service."""

from dynabench_api import leaderboard

Headline = leaderboard.HeadlineAnswer
Figures = leaderboard.FiguresAnswer
TargetFigures = leaderboard.TargetFiguresAnswer
SegmentFigures = leaderboard.SegmentAnswer
RoundFigures = leaderboard.RoundBoardAnswer
Breakdown = leaderboard.BreakdownAnswer
HistoryPoint = leaderboard.PointAnswer
History = leaderboard.HistoryAnswer
Pattern = leaderboard.PatternAnswer
FoolingMatrix = leaderboard.RoundMatrixAnswer
TaskHeadline = leaderboard.TaskHeadlineAnswer
MyFigures = leaderboard.OwnFiguresAnswer
MyRound = leaderboard.OwnRoundAnswer
