"""Rounds: header, figures, and what an owner may do."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from dynabench_client.results.annotation import Round
from dynabench_client.results.leaderboard import Figures, Headline, RoundFigures, SegmentFigures
from dynabench_client.results.validation import ValidationCounts

from web.kit import words
from web.kit.numbers import MISSING, RateView, TimeView, count, day, moment, plural, rate
from web.kit.words import Word


@dataclass(frozen=True)
class RoundView:
    """A round in a header or a list."""

    round_id: str
    task_slug: str
    name: str
    title: str
    state: Word
    made: TimeView | None
    since: TimeView | None
    targets: list[str]
    is_open: bool
    takes_votes: bool

    @property
    def targets_in_words(self) -> str:
        """How many targets there are, and which."""
        if not self.targets:
            return "no target in the loop"
        return f"{plural(len(self.targets), 'target')}: {', '.join(self.targets)}"


@dataclass(frozen=True)
class FiguresRow:
    """A line of figures: of the round, a segment or a target."""

    name: str
    detail: str
    tries: str
    fooled: str
    mer: RateView
    validated_errors: str
    vmer: RateView
    pending: str


@dataclass(frozen=True)
class FiguresView:
    """The figures of a round."""

    headline: FiguresRow
    votes: str
    resolved: str
    retracted: str
    projected: RateView
    validity: RateView
    segments: list[FiguresRow]
    targets: list[FiguresRow]
    conditions: list[FiguresRow]
    as_of: TimeView | None
    summary: str
    has_tries: bool


TAKES_VOTES = {"open", "paused", "closed"}


def round_view(found: Round, opened_at: datetime | None = None) -> RoundView:
    """Return a round for a header or a list; `opened_at` is told only while the round is open."""
    return RoundView(
        round_id=found.round_id,
        task_slug=found.task_slug,
        name=f"Round {found.number}",
        title=found.title,
        state=words.round_state(found.state),
        made=day(found.created_at),
        since=day(opened_at) if found.is_open else None,
        targets=list(found.targets),
        is_open=found.is_open,
        takes_votes=found.state in TAKES_VOTES,
    )


def figures_view(figures: RoundFigures) -> FiguresView:
    """Return a round's figures in print."""
    headline = figures_row("All", "", figures)
    return FiguresView(
        headline=headline,
        votes=count(figures.votes),
        resolved=count(figures.resolved),
        retracted=count(figures.retracted),
        projected=rate(figures.vmer_projected),
        validity=rate(figures.validity),
        segments=[_segment(segment, position) for position, segment in enumerate(figures.segments, start=1)],
        targets=[figures_row(target.target, "", target) for target in figures.targets],
        conditions=_conditions(figures),
        as_of=moment(figures.as_of),
        summary=(
            f"{plural(figures.tries, 'try', 'tries')}, {headline.fooled} fooled, MER {headline.mer.value}, "
            f"vMER {headline.vmer.value}, {headline.pending} pending"
        ),
        has_tries=figures.tries > 0,
    )


def opened_at(figures: RoundFigures) -> datetime | None:
    """Return when the first segment began, which is when the round was first opened."""
    started = figures.segments[0].document().get("started_at") if figures.segments else None
    return datetime.fromisoformat(started) if isinstance(started, str) else None


def figures_row(name: str, detail: str, figures: Headline) -> FiguresRow:
    """Return one line of figures; where votes are not counted apart, what waits for them is a dash."""
    return FiguresRow(
        name=name,
        detail=detail,
        tries=count(figures.tries),
        fooled=count(figures.fooled),
        mer=rate(figures.mer),
        validated_errors=count(figures.validated_errors),
        vmer=rate(figures.vmer),
        pending=count(figures.pending) if isinstance(figures, Figures) else MISSING,
    )


def funnel_stages(
    contexts: int, figures: RoundFigures, counts: ValidationCounts | None
) -> Sequence[tuple[str, int]]:
    """Return the stages that an example passes, with how many reached each."""
    stages = [("Contexts", contexts), ("Tries", figures.tries), ("Fooled", figures.fooled)]
    if counts is None:
        return stages
    outcomes = [
        ("Resolved", counts.resolved),
        ("– correct", counts.correct),
        ("– incorrect", counts.incorrect),
        ("– flagged", counts.flagged),
        ("– disputed", counts.disputed),
    ]
    return [*stages, *outcomes]


def _segment(segment: SegmentFigures, position: int) -> FiguresRow:
    targets = ", ".join(target.target for target in segment.targets) or "no target"
    return figures_row(f"Segment {segment.number or position}", targets, segment)


def _conditions(figures: RoundFigures) -> list[FiguresRow]:
    """Return the arms of the round, where some were drawn."""
    return [figures_row(arm.condition, "condition", arm) for arm in figures.by_condition]
