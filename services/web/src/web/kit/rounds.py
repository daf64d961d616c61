"""Rounds: header, figures, and what an owner may do."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from dynabench_client.results.annotation import Round
from dynabench_client.results.leaderboard import (
    Figures,
    Funnel,
    Headline,
    RoundFigures,
    SegmentFigures,
    TargetFigures,
)
from dynabench_client.results.validation import ValidationCounts

from web.kit import isolation, words
from web.kit.charts.funnel import OUTCOME
from web.kit.language import N_, _, ngettext
from web.kit.numbers import MISSING, RateView, TimeView, count, day, interval, moment, rate
from web.kit.words import RUNNING_RESOLUTIONS, Word


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
            return _("no target in the loop")
        return ngettext(
            "%(num)s\u00a0target: %(names)s",
            "%(num)s\u00a0targets: %(names)s",
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
    outlook: str
    pending: str


@dataclass(frozen=True)
class FiguresView:
    """The figures of a round."""

    headline: FiguresRow
    without_verdict: list[tuple[str, str]]
    votes: str
    resolved: str
    retracted: str
    projected: RateView | None
    validity: RateView
    segments: list[FiguresRow]
    targets: list[FiguresRow]
    conditions: list[FiguresRow]
    as_of: TimeView | None
    summary: str
    has_tries: bool


TAKES_VOTES = {"open", "paused", "closed"}
PREFERENCE = {"open": 0, "paused": 1, "closed": 2, "released": 3, "draft": 4}


def current_round(rounds: Iterable[Round]) -> Round | None:
    """Return the round that people want: the newest open one, else the one nearest to open."""
    return min(rounds, key=lambda found: (PREFERENCE.get(found.state, 9), -found.number), default=None)


def started_rounds(rounds: Iterable[Round]) -> list[Round]:
    """Return the rounds that were opened or imported, the newest first."""
    newest_first = sorted(rounds, key=lambda found: -found.number)
    return [found for found in newest_first if found.state != "draft"]


def round_view(found: Round, opened_at: datetime | None = None) -> RoundView:
    """Return a round for a header or a list; `opened_at` is shown only while the round is open."""
    return RoundView(
        round_id=found.round_id,
        task_slug=found.task_slug,
        name=_("Round %(number)s", number=found.number),
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
    headline = figures_row(_("All"), "", figures)
    return FiguresView(
        headline=headline,
        without_verdict=_without_verdict(figures),
        votes=count(figures.votes),
        resolved=_(
            "%(resolved)s of %(tries)s tries, %(fooled)s of them fooled and got an answer",
            **_resolved(figures),
        ),
        retracted=count(figures.retracted),
        projected=_projected(figures),
        validity=rate(figures.validity),
        segments=[_segment(segment, position) for position, segment in enumerate(figures.segments, start=1)],
        targets=[target_row(target) for target in figures.targets],
        conditions=_conditions(figures),
        as_of=moment(figures.as_of),
        summary=(
            ngettext(
                "%(tries)s\u00a0try, %(fooled)s fooled, MER %(mer)s, vMER %(vmer)s, %(pending)s pending",
                "%(tries)s\u00a0tries, %(fooled)s fooled, MER %(mer)s, vMER %(vmer)s, %(pending)s pending",
                figures.tries,
                tries=headline.tries,
                fooled=headline.fooled,
                mer=headline.mer.value,
                vmer=headline.vmer.value,
                pending=headline.pending,
            )
        ),
        has_tries=figures.tries > 0,
    )


def _projected(figures: RoundFigures) -> RateView | None:
    """Return what vMER is estimated to be; None where no vote is missing that could change it."""
    says_more = figures.vmer_projected.value != figures.vmer.value
    return rate(figures.vmer_projected) if figures.pending or says_more else None


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
        outlook=outlook(figures),
        pending=count(figures.pending) if isinstance(figures, Figures) else MISSING,
    )


def fooled(figures: Headline) -> str:
    """Return how many tries fooled, or that it is unknown since nothing was claimed."""
    return count(figures.fooled) if figures.is_fooled_known else _("unknown")


def outlook(figures: Headline) -> str:
    """Return what vMER can still come to, and its estimate; nothing unless tries wait for votes."""
    still, projected = figures.vmer_range, rate(figures.vmer_projected)
    if not still.pending or still.low is None or still.high is None:
        return ""
    shared = {"range": interval(still.low, still.high), "number": count(still.pending)}
    if not projected.interval:
        return ngettext(
            "now; %(range)s %% when the %(number)s pending is in, estimate %(estimate)s",
            "now; %(range)s %% when the %(number)s pending are in, estimate %(estimate)s",
            still.pending,
            estimate=projected.value,
            **shared,
        )
    return ngettext(
        "now; %(range)s %% when the %(number)s pending is in, estimate %(estimate)s (%(interval)s)",
        "now; %(range)s %% when the %(number)s pending are in, estimate %(estimate)s (%(interval)s)",
        still.pending,
        estimate=projected.value,
        interval=projected.interval,
        **shared,
    )


def _without_verdict(figures: RoundFigures) -> list[tuple[str, str]]:
    """Return the kinds of tries that are in no rate, with how many there are of each that occurs."""
    kinds = [
        (_("Undecided"), figures.undecided),
        (_("Unknown, since nothing was claimed"), figures.unknown),
        (_("Without a target"), figures.no_target),
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


def funnel_stages(
    contexts: int, figures: RoundFigures, counts: ValidationCounts | None
) -> Sequence[tuple[str, int]]:
    """Return the stages that an example passes, by their English names, with how many reached each."""
    stages = [
        (N_("Contexts"), contexts),
        *verdict_stages(figures.tries, figures.decided, figures.fooled),
    ]
    if counts is None:
        return stages
    no_claim = [(OUTCOME + N_("no claim"), counts.no_claim)] if counts.no_claim else []
    return [*stages, (N_("Resolved"), counts.resolved), *outcomes(counts), *no_claim]


def outcomes(counts: ValidationCounts | Funnel) -> Sequence[tuple[str, int]]:
    """Return what the votes came to, as the funnel's last stages."""
    return [(OUTCOME + word, getattr(counts, name)) for name, word in RUNNING_RESOLUTIONS.items()]


def target_row(target: TargetFigures) -> FiguresRow:
    """Return the row of a target, with what its rates are shares of where it was not asked about every try."""
    return figures_row(isolation.name(target.target), tier_note(target.not_asked), target)


def tier_note(not_asked: int) -> str:
    """Say what the rates of a target of a later tier are shares of; nothing for one that was asked about all tries."""
    if not not_asked:
        return ""
    return ngettext(
        "of tries that fooled the earlier tiers; not asked about %(shown)s\u00a0try",
        "of tries that fooled the earlier tiers; not asked about %(shown)s\u00a0tries",
        not_asked,
        shown=count(not_asked),
    )


def _segment(segment: SegmentFigures, position: int) -> FiguresRow:
    targets = isolation.names(target.target for target in segment.targets) or _("no target")
    return figures_row(_("Segment %(number)s", number=segment.number or position), targets, segment)


def _conditions(figures: RoundFigures) -> list[FiguresRow]:
    """Return the arms of the round, where some were drawn."""
    return [figures_row(isolation.name(arm.condition), _("condition"), arm) for arm in figures.by_condition]
