"""Results of the validation service: votes, owners' work, validators' quality, agreement."""

from datetime import datetime
from typing import Any

from dynabench_api import agreement, validation, validators
from pydantic import Field

from dynabench_client.results.base import Result

LeasedExample = validation.ExampleAnswer
LeaseRenewed = validation.RenewalAnswer
Notice = validation.Notice
RecentVote = validation.OwnVoteAnswer
WaitingRound = validation.WaitingRound
CastVote = validation.VoteRecord
Judgement = validation.JudgementAnswer
ValidationCounts = validation.CountsAnswer
Appeal = validation.AppealRecord
ExampleResolution = validation.ExampleStateAnswer
Adjudication = validation.AdjudicationRecord
ExampleVotes = validation.VotesAnswer
ExampleThread = validation.ThreadAnswer
Pause = validators.PauseAnswer
VoteCount = validation.VoteCountAnswer
MyVotes = validators.OwnWorkAnswer

Validator = validators.ValidatorAnswer
ValidatorStanding = validators.StandingAnswer
ValidatorStandings = validators.StandingsAnswer
GoldItem = validators.GoldAnswer
GoldRefreshed = validators.RefreshedAnswer
PauseAppeal = validators.PauseAppealAnswer

AgreementFigures = agreement.AgreementFigures
Agreement = agreement.AgreementAnswer
HumanEstimate = agreement.HumanEstimateAnswer
ValidatorPair = agreement.PairAnswer
OneAuthorValidator = agreement.OneAuthorAnswer
ValidatorPairs = agreement.PairsAnswer
VotesAdvice = agreement.VotesAdviceAnswer

WorkItem = validation.WorkItem
RoundExample = validation.RoundExample
ExamplesWaiting = validation.ExamplesWaiting
WorkCounts = validation.WorkCountsAnswer
RoundWorkCounts = validation.RoundWorkCounts
Requeued = validation.RequeueAnswer


class Vote(validation.StoredVoteAnswer):
    """A stored vote; `replayed` if a repeated request found it stored already."""

    replayed: bool = Field(default=False, exclude=True)


class Lease(Result):
    """An example to validate until `expires_at`, with the questions; or none, with the reason and when to ask again.

    With `can_go_back` the person's own earlier votes can be opened again. Without an example `state` is nothing_waits,
    only_own, all_answered, others_working, paused_you, round_takes_no_votes or another_is_asked; `reason` is the
    text for it. another_is_asked follows the withdrawal of a vote that had settled its example.
    """

    lease_id: str | None
    expires_at: datetime | None = None
    example: LeasedExample | None = None
    options: tuple[str, ...] = ()
    vote: str = ""
    answer_type: str = ""
    span_of: str | None = None
    metadata_fields: tuple[dict[str, Any], ...] = ()
    can_go_back: bool = False
    state: str | None = None
    reason: str | None = None
    retry_after_seconds: int | None = None
