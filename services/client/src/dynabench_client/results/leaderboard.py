"""Results of the leaderboard service: figures and standing of rounds, boards, badges. Shares are from 0 to 1."""

from dynabench_api import badges, leaderboard, model_boards, rates

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
CurrentRound = leaderboard.CurrentRoundAnswer
Outcomes = leaderboard.OutcomesAnswer
MyFigures = leaderboard.OwnFiguresAnswer
MyRound = leaderboard.OwnRoundAnswer

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

PersonRow = badges.PersonRowAnswer
UserBoard = badges.UserBoardAnswer
PeopleRanks = badges.PeopleRanksAnswer
PersonPlace = badges.PersonPlaceAnswer
PersonWeeks = badges.PersonWeeksAnswer
OwnWeek = badges.OwnWeekAnswer
Badge = badges.BadgeAnswer
OwnBadge = badges.OwnBadgeAnswer
BadgeProgress = badges.ProgressAnswer
Badges = badges.BadgesAnswer
OwnBadges = badges.OwnBadgesAnswer

Measure = rates.Measure
Range = rates.RangeAnswer
Rate = rates.RateAnswer
ProjectedRate = rates.ProjectedRateAnswer

BoardDimension = model_boards.DimensionAnswer
BoardDataset = model_boards.BoardDatasetAnswer
Lead = model_boards.LeadAnswer
ModelRow = model_boards.ModelRowAnswer
ModelBoard = model_boards.ModelBoardAnswer
MovingParts = model_boards.MovingPartsAnswer
ProposedTarget = model_boards.ProposedTargetAnswer
TargetProposals = model_boards.TargetProposalsAnswer

BoardView = model_boards.ViewAnswer
BoardSnapshot = model_boards.SnapshotSummary
WholeSnapshot = model_boards.SnapshotAnswer
