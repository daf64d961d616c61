"""Results about where a round stands: how far it is, what it cost, and whether the next one is due."""

from datetime import date, datetime

from pydantic import Field

from dynabench_client.results.base import Result
from dynabench_client.results.measurements import AuthorConcentration
from dynabench_client.results.rates import Measure, Rate


class SurvivalPoint(Result):
    """The share of contexts that are not fooled yet after so many tries, of those still `at_risk`."""

    tries: int = 0
    share: float | None = None
    at_risk: int = 0


class Effort(Result):
    """What it took to fool a target; `target` None stands for the round's rule over all of them."""

    target: str | None = None
    tries_per_fooling: Rate = Rate()
    minutes_per_validated_error: Measure = Measure()
    survival: tuple[SurvivalPoint, ...] = ()


class Funnel(Result):
    """What became of a round's tries."""

    tries: int = 0
    fooled: int = 0
    resolved: int = 0
    correct: int = 0
    incorrect: int = 0
    flagged: int = 0
    disputed: int = 0
    no_claim: int = 0
    retracted: int = 0
    pending: int = 0


class BurnUpPoint(Result):
    """Validated errors up to a moment."""

    at: datetime | None = None
    validated: int = 0


class Forecast(Result):
    """When the goal is reached, at the lowest, expected and highest pace."""

    low: date | datetime | None = None
    expected: date | datetime | None = None
    high: date | datetime | None = None


class BurnUp(Result):
    """Validated errors over time against the goal; `reason` says why there is no forecast."""

    goal: int | None = None
    points: tuple[BurnUpPoint, ...] = ()
    per_day: float | None = None
    forecast: Forecast | None = None
    reason: str | None = None


class LabelCounts(Result):
    """Examples by the label that was claimed for them, and by the one that was agreed on."""

    claimed: dict[str, int] = Field(default_factory=dict)
    gold: dict[str, int] = Field(default_factory=dict)


class Standing(Result):
    """Where a round stands."""

    round_id: str
    task_slug: str = ""
    number: int = 0
    title: str = ""
    state: str = ""
    origin: str = ""
    opened_at: datetime | None = None
    funnel: Funnel = Funnel()
    burn_up: BurnUp = BurnUp()
    authors: AuthorConcentration = AuthorConcentration()
    labels: LabelCounts = LabelCounts()
    cohorts: dict[str, int] = Field(default_factory=dict)
    as_of: datetime | None = None


class RoundStanding(Result):
    """A round in the list of all, with its headline."""

    round_id: str
    task_slug: str = ""
    number: int = 0
    title: str = ""
    state: str = ""
    origin: str = ""
    tries: int = 0
    fooled: int = 0
    validated_errors: int = 0
    pending: int = 0
    mer: Rate = Rate()
    vmer: Rate = Rate()
    as_of: datetime | None = None


class Evidence(Result):
    """One sign for or against a next round: it says now, not_yet or unknown."""

    name: str = ""
    says: str = "unknown"
    text: str = ""
    value: float | None = None
    threshold: float | None = None


class NextRound(Result):
    """Whether it is time for the next round (not_yet, soon or now), and why."""

    advice: str = "not_yet"
    evidence: tuple[Evidence, ...] = ()
