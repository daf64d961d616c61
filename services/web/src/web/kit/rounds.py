"""Rounds: header, figures, and what an owner may do."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import compress
from operator import not_

from dynabench_client.results.annotation import Round, TaskSummary
from dynabench_client.results.leaderboard import (
    Figures,
    Headline,
    RoundFigures,
    SegmentFigures,
    TargetFigures,
    TaskHeadline,
)

from web.kit import isolation, words
from web.kit.charts.funnel import OUTCOME
from web.kit.language import N_, _, ngettext
from web.kit.numbers import MISSING, RateView, TimeView, count, day, moment, percent, rate
from web.kit.tries_line import NAMES, SHAPES, TriesLine, tries_line
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
        """Number and names of the targets in words."""
        if not self.targets:
            return _("no model to fool")
        return ngettext(
            "%(num)s\u00a0model to fool: %(names)s",
            "%(num)s\u00a0models to fool: %(names)s",
            len(self.targets),
            names=isolation.names(self.targets),
        )


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
    tries: TriesLine
    without_verdict: list[tuple[str, str]]
    votes: str
    resolved: str
    retracted: str
    outlook: str
    validity: RateView
    segments: list[FiguresRow]
    targets: list[FiguresRow]
    conditions: list[FiguresRow]
    as_of: TimeView | None
    summary: str
    has_tries: bool


UNFINISHED = frozenset({"draft", "open", "paused"})
"""States of rounds for which owners still choose models, add contexts and invite people."""
TAKES_VOTES = {"open", "paused", "closed"}
PREFERENCE = {"open": 0, "paused": 1, "closed": 2, "released": 3, "draft": 4}


def current_round(rounds: Iterable[Round]) -> Round | None:
    """Return the round that people want: the newest open one, else the one nearest to open.

    It is a demonstration only if there is no other round.
    """

    def place(found: Round) -> tuple[bool, int, int]:
        return found.is_demonstration, PREFERENCE.get(found.state, 9), -found.number

    return min(rounds, key=place, default=None)


def is_started(found: Round) -> bool:
    """Return whether a round was opened or imported."""
    return found.state != "draft"


def by_activity(
    tasks: Iterable[TaskSummary], headlines: Iterable[TaskHeadline]
) -> tuple[list[TaskSummary], list[TaskSummary]]:
    """Return the tasks with an open round, those with most tries and then the oldest first, and the others."""
    tries = {each.task_slug: each.current_round.tries if each.current_round else 0 for each in headlines}
    ordered = sorted(tasks, key=lambda task: (-tries.get(task.slug, 0), task.created_at))
    is_open = [(now := current_round(task.rounds)) is not None and now.is_open for task in ordered]
    return list(compress(ordered, is_open)), list(compress(ordered, map(not_, is_open)))


def started_rounds(rounds: Iterable[Round]) -> list[Round]:
    """Return the rounds that were opened or imported, the newest first."""
    return list(filter(is_started, sorted(rounds, key=lambda found: -found.number)))


def round_view(found: Round, opened_at: datetime | None = None) -> RoundView:
    """Return a round for a header or a list; `opened_at` is shown only while the round is open."""
    return RoundView(
        round_id=found.round_id,
        task_slug=found.task_slug,
        name=round_name(found),
        title=found.title,
        state=words.round_state(found.state),
        made=day(found.created_at),
        since=day(opened_at) if found.is_open else None,
        targets=list(found.targets),
        is_open=found.is_open,
        takes_votes=found.state in TAKES_VOTES,
    )


def round_name(found: Round) -> str:
    """Return the number of a round, with the mark of a demonstration."""
    if found.is_demonstration:
        return _("Round %(number)s (demonstration)", number=found.number)
    return _("Round %(number)s", number=found.number)


def figures_view(figures: RoundFigures) -> FiguresView:
    """Return a round's figures in print."""
    headline, tries = figures_row(_("All"), "", figures), tries_line(figures)
    return FiguresView(
        headline=headline,
        tries=tries,
        without_verdict=_without_verdict(figures),
        votes=count(figures.votes),
        resolved=_(
            "%(resolved)s of %(tries)s tries; %(fooled)s of them fooled a model and got a clear answer",
            **_resolved(figures),
        ),
        retracted=count(figures.retracted),
        outlook=outlook(figures),
        validity=rate(figures.validity),
        segments=[_segment(segment, position) for position, segment in enumerate(figures.segments, start=1)],
        targets=[target_row(target) for target in figures.targets],
        conditions=_conditions(figures),
        as_of=moment(figures.as_of),
        summary=tries.sentence,
        has_tries=figures.tries > 0,
    )


def opened_at(figures: RoundFigures) -> datetime | None:
    """Return when the first segment began, which is when the round was first opened."""
    started = figures.segments[0].document().get("started_at") if figures.segments else None
    return datetime.fromisoformat(started) if isinstance(started, str) else None


def figures_row(name: str, detail: str, figures: Headline) -> FiguresRow:
    """Return one row of figures; a dash for the pending votes if `figures` does not count them."""
    return FiguresRow(
        name=name,
        detail=detail,
        tries=count(figures.tries),
        fooled=fooled(figures),
        mer=rate(figures.mer),
        validated_errors=count(figures.validated_errors),
        vmer=rate(figures.vmer),
        pending=count(figures.pending) if isinstance(figures, Figures) else MISSING,
    )


def fooled(figures: Headline) -> str:
    """Return how many tries fooled, or that it is unknown since nothing was claimed."""
    return count(figures.fooled) if figures.is_fooled_known else _("unknown")


def outlook(figures: RoundFigures) -> str:
    """Return what vMER can still come to, and its estimate; nothing if no missing vote can change it."""
    still, now, projected = figures.vmer_range, figures.vmer.value, rate(figures.vmer_projected)
    if now is None or not (figures.pending or projected.share != now):
        return ""
    why = "; ".join(part for part in (projected.interval, projected.note) if part)
    estimate = _("Estimate: %(estimate)s (%(why)s).", estimate=projected.value, why=why or MISSING)
    if not still.pending:
        return estimate
    most = ngettext(
        "Confirmed fool rate: %(now)s now, at most %(most)s once the %(number)s\u00a0text that waits is checked.",
        "Confirmed fool rate: %(now)s now, at most %(most)s once the %(number)s\u00a0texts that wait are checked.",
        still.pending,
        now=percent(now),
        most=percent(still.high),
        number=count(still.pending),
    )
    return f"{most} {estimate}"


def _without_verdict(figures: RoundFigures) -> list[tuple[str, str]]:
    """Return the kinds of tries that are in no rate, with how many there are of each that occurs."""
    kinds = [
        (_("Undecided"), figures.undecided),
        (_("Unknown: no claim"), figures.unknown),
        (_("Without a model"), figures.no_target),
    ]
    return [(name, count(number)) for name, number in kinds if number]


def _resolved(figures: RoundFigures) -> dict[str, str]:
    return {
        "resolved": count(figures.resolved),
        "tries": count(figures.tries),
        "fooled": count(figures.validity.n),
    }


def verdict_stages(tries: int, decided: int, fooled: int) -> list[tuple[str, int]]:
    """Return the stages from tries to fooled ones, of which nothing is known where no try has a verdict."""
    verdicts = [] if decided == tries else [(N_("With a verdict"), decided)]
    fooling = [] if tries and not decided else [(N_("Fooled"), fooled)]
    return [(N_("Tries"), tries), *verdicts, *fooling]


def funnel_stages(contexts: int, figures: RoundFigures) -> Sequence[tuple[str, int]]:
    """Return the stages that a try passes, by their English names, with how many reached each."""
    reached = {name: getattr(figures.outcomes, name) for name in SHAPES}
    names = NAMES | ({"being_checked": N_("Never checked")} if figures.state == "released" else {})
    outcomes = (
        [(OUTCOME + names[name], number) for name, number in reached.items()] if any(reached.values()) else []
    )
    return [
        (N_("Contexts"), contexts),
        *verdict_stages(figures.tries, figures.decided, figures.fooled),
        *outcomes,
    ]


def target_row(target: TargetFigures) -> FiguresRow:
    """Return the row of a target, with what its rates are shares of where it was not asked about every try."""
    return figures_row(isolation.name(target.target), tier_note(target.not_asked), target)


def tier_note(not_asked: int) -> str:
    """Say what the rates of a target of a later tier are shares of; nothing for one that was asked about all tries."""
    if not not_asked:
        return ""
    return ngettext(
        "asked only about tries that fooled the earlier tiers; not about %(shown)s\u00a0other try",
        "asked only about tries that fooled the earlier tiers; not about %(shown)s\u00a0other tries",
        not_asked,
        shown=count(not_asked),
    )


def _segment(segment: SegmentFigures, position: int) -> FiguresRow:
    targets = isolation.names(target.target for target in segment.targets) or _("no model")
    return figures_row(_("Segment %(number)s", number=segment.number or position), targets, segment)


def _conditions(figures: RoundFigures) -> list[FiguresRow]:
    """Return the arms of the round, where some were drawn."""
    return [figures_row(isolation.name(arm.condition), _("condition"), arm) for arm in figures.by_condition]
