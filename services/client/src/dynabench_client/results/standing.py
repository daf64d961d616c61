"""Results about where a round stands: how far it is, what it cost, and whether the next one is due."""

from datetime import date, datetime

from dynabench_client.results.base import Result
from dynabench_client.results.leaderboard import Headline
from dynabench_client.results.measurements import AuthorConcentration
from dynabench_client.results.rates import Measure, Rate


class SurvivalPoint(Result):
    """The share of contexts that are not fooled yet after so many tries, of those still `at_risk`."""

    tries: int
    share: float
    at_risk: int
    low: float | None
    high: float | None


class Effort(Result):
    """What it took to fool a target; `target` None stands for the round's rule over all of them."""

    target: str | None
    tries_per_fooling: Rate
    minutes_per_validated_error: Measure
    survival: tuple[SurvivalPoint, ...]


class Funnel(Result):
    """What became of a round's tries."""

    tries: int
    decided: int
    undecided: int
    unknown: int
    no_target: int
    fooled: int
    resolved: int
    correct: int
    incorrect: int
    flagged: int
    disputed: int
    no_claim: int
    retracted: int
    pending: int


class BurnUpPoint(Result):
    """Validated errors up to a moment."""

    at: datetime
    validated: int


class Forecast(Result):
    """When the goal is reached, at the lowest, expected and highest pace."""

    low: date
    expected: date
    high: date


class BurnUp(Result):
    """Validated errors over time against the goal; `reason` says why there is no forecast."""

    goal: int | None
    points: tuple[BurnUpPoint, ...]
    per_day: float | None
    forecast: Forecast | None
    reason: str | None


class LabelCounts(Result):
    """Examples by the label that was claimed for them, and by the one that was agreed on."""

    claimed: dict[str, int]
    gold: dict[str, int]


class Standing(Result):
    """Where a round stands."""

    round_id: str
    task_slug: str | None
    number: int
    title: str
    state: str
    origin: str
    opened_at: datetime | None
    funnel: Funnel
    burn_up: BurnUp
    authors: AuthorConcentration
    labels: LabelCounts
    cohorts: dict[str, int]
    as_of: datetime


class RoundStanding(Headline):
    """A round in the list of all, with its headline."""

    round_id: str
    task_slug: str | None
    number: int
    title: str
    state: str
    origin: str
    pending: int
    as_of: datetime


class Evidence(Result):
    """One sign for or against a next round: it says now, not_yet or unknown."""

    name: str
    says: str
    text: str
    value: float | None
    threshold: float | None


class NextRound(Result):
    """Whether it is time for the next round (not_yet, soon or now), and why."""

    advice: str
    evidence: tuple[Evidence, ...]
