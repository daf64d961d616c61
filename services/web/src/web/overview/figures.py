"""State of one round: funnel, people, labels, effort, health, and the advice on the next round."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from dynabench_client.results.annotation import Collection
from dynabench_client.results.leaderboard import (
    Breakdown,
    Evidence,
    Funnel,
    NextRound,
    RoundFigures,
    Standing,
)
from dynabench_client.results.validation import ValidationCounts, WorkCounts

from web.kit.charts.funnel import OUTCOME
from web.kit.language import N_, _, ngettext
from web.kit.numbers import MISSING, count, decimal, percent
from web.kit.rounds import FiguresRow, figures_row, target_row, verdict_stages
from web.kit.service_words import service_words
from web.kit.words import RUNNING_RESOLUTIONS, Word

FEW_TRIES = 20
"""With fewer tries, shares of authors are not informative."""
MOST_ACTIVE = 5
PARTS = {
    "segment": N_("segment"),
    "target": N_("model"),
    "condition": N_("condition"),
    "cohort": N_("cohort"),
    "tag": N_("context tag"),
    "week": N_("week"),
}
ADVICE = {
    "now": Word(N_("Yes, now"), "◆", "fooled"),
    "soon": Word(N_("Soon"), "◇", "open"),
    "not_yet": Word(N_("Not yet"), "○", "draft"),
}
SAYS = {
    "now": Word(N_("in favour"), "✓", "correct"),
    "not_yet": Word(N_("against"), "✕", "incorrect"),
    "unknown": Word(N_("unknown"), "?", "no-verdict"),
}
QUESTIONS = {
    "goal": N_("Goal"),
    "saturation": N_("Fooling gets harder"),
    "yield": N_("Errors get rarer"),
    "validity": N_("Most fooling is confirmed"),
    "pending": N_("Little is left to check"),
}


@dataclass(frozen=True)
class EvidenceRow:
    """One criterion for or against the next round."""

    question: str
    says: Word
    text: str


@dataclass(frozen=True)
class NextRoundView:
    """Advice on the next round, with its reasons."""

    advice: Word
    evidence: list[EvidenceRow]


@dataclass(frozen=True)
class BreakdownView:
    """The figures of a round's parts."""

    by: str
    part: str
    rows: list[FiguresRow]


def stages_of(contexts: int | None, funnel: Funnel) -> list[tuple[str, int]]:
    """Return the stages of an example by their English names, each with its number of examples.

    Contexts are included only if they are known.
    """
    stages = [] if contexts is None else [(N_("Contexts"), contexts)]
    stages += verdict_stages(funnel.tries, funnel.decided, funnel.fooled)
    stages.append((N_("Checked"), funnel.resolved))
    no_claim = [(OUTCOME + N_("no claim"), funnel.no_claim)] if funnel.no_claim else []
    outcomes = [(OUTCOME + word, getattr(funnel, name)) for name, word in RUNNING_RESOLUTIONS.items()]
    return [*stages, *outcomes, *no_claim]


def next_round_view(found: NextRound) -> NextRoundView:
    """Return the advice about the next round."""
    advice = _said(ADVICE.get(found.advice)) or Word(
        found.advice.replace("_", " ").capitalize(), "○", "draft"
    )
    return NextRoundView(advice, [_evidence(each) for each in found.evidence])


def board_parts(board: RoundFigures, by: str) -> BreakdownView:
    """Return the figures of the round's segments or targets, from the round's own answer."""
    names = segment_names(board)
    rows = (
        [figures_row(names[segment.segment_id], "", segment) for segment in board.segments]
        if by == "segment"
        else [target_row(target) for target in board.targets]
    )
    return BreakdownView(by, _(PARTS[by]), rows)


def breakdown_view(found: Breakdown, by: str) -> BreakdownView:
    """Return the figures of the round's parts."""
    named = [
        (_("Segment %(number)s", number=item.name) if by == "segment" else item.name, item)
        for item in found.items
    ]
    return BreakdownView(by, _(PARTS[by]), [figures_row(name, "", item) for name, item in named])


def segment_names(board: RoundFigures | None) -> dict[str, str]:
    """Return the names of a round's segments by their ids."""
    segments = board.segments if board else ()
    return {
        segment.segment_id: _("Segment %(number)s", number=segment.number or position)
        for position, segment in enumerate(segments, start=1)
    }


def people_lines(standing: Standing | None, collection: Collection | None) -> list[tuple[str, str]]:
    """Return facts on authors and near duplicates, as names with values."""
    lines = []
    if standing is not None:
        lines += _author_lines(standing)
    if collection is not None:
        near = collection.near_duplicates
        lines += [
            (_("Near duplicates"), _near_duplicates(near.share, near.examples)),
            (_("Contexts used"), _used(collection)),
            (_("Contexts reported"), count(collection.contexts_flagged)),
            (_("Contexts withdrawn"), count(collection.contexts_withdrawn)),
            (_("Fooled, not explained"), count(collection.unexplained_fooling)),
        ]
    return lines


def _author_lines(standing: Standing) -> list[tuple[str, str]]:
    """Return the concentration of authors; only their number if there are few tries."""
    authors = standing.authors
    people = (_("Authors"), count(authors.people))
    if standing.funnel.tries < FEW_TRIES or authors.people <= MOST_ACTIVE:
        return [people]
    everybody = count(authors.people)
    return [
        people,
        (_("Tries by the most active author"), _of_authors(authors.top1_share, 1, everybody)),
        (_("Tries by the five most active"), _of_authors(authors.top5_share, MOST_ACTIVE, everybody)),
        (
            _("Concentration (HHI: 1 if one author wrote all)"),
            _("%(index)s for %(people)s authors", index=decimal(authors.hhi, 2), people=everybody),
        ),
    ]


def _of_authors(share: float | None, some: int, everybody: str) -> str:
    return _("%(share)s by %(some)s of %(people)s", share=percent(share), some=count(some), people=everybody)


def _near_duplicates(share: float | None, examples: int) -> str:
    if share is None:
        return MISSING
    return _("%(share)s of the newest %(number)s", share=percent(share), number=count(examples))


def _used(collection: Collection) -> str:
    return _("%(used)s of %(all)s", used=count(collection.contexts_used), all=count(collection.contexts))


def cohort_rows(cohorts: Mapping[str, int]) -> list[tuple[str, str, str]]:
    """Return tries by cohort: name, number, share."""
    total = sum(cohorts.values())
    return [
        (
            name,
            _("%(number)s of %(all)s", number=count(number), all=count(total)),
            percent(number / total if total else None),
        )
        for name, number in cohorts.items()
        if number
    ]


def backlog_sentence(counts: WorkCounts, now: datetime) -> str:
    """Return the number of examples that wait for votes, and the longest wait."""
    if not counts.pending:
        return _("No example waits for votes.")
    age = None if counts.oldest_pending_at is None else _age(now - counts.oldest_pending_at)
    waiting = _waiting(counts.pending, age)
    return f"{waiting} {_working(counts.leases_out)}" if counts.leases_out else waiting


def not_asked_sentence(counts: ValidationCounts) -> str:
    """Return the number of examples that get no votes by their version of the configuration; empty if none."""
    if not counts.not_asked:
        return ""
    return ngettext(
        "%(shown)s\u00a0example gets no votes: its version of the configuration asks for none.",
        "%(shown)s\u00a0examples get no votes: their versions of the configuration ask for none.",
        counts.not_asked,
        shown=count(counts.not_asked),
    )


def _waiting(number: int, age: str | None) -> str:
    if age is None:
        return ngettext(
            "%(shown)s\u00a0example waits for votes.",
            "%(shown)s\u00a0examples wait for votes.",
            number,
            shown=count(number),
        )
    return ngettext(
        "%(shown)s\u00a0example waits for votes, for %(age)s.",
        "%(shown)s\u00a0examples wait for votes, the oldest for %(age)s.",
        number,
        shown=count(number),
        age=age,
    )


def _working(number: int) -> str:
    return ngettext(
        "%(shown)s\u00a0person is checking one now.",
        "%(shown)s\u00a0people are checking one now.",
        number,
        shown=count(number),
    )


def _said(word: Word | None) -> Word | None:
    return None if word is None else replace(word, text=_(word.text))


def _evidence(found: Evidence) -> EvidenceRow:
    is_known = found.name in QUESTIONS
    question = _(QUESTIONS[found.name]) if is_known else found.name.replace("_", " ").capitalize()
    says = SAYS.get(found.says, SAYS["unknown"])
    return EvidenceRow(question, replace(says, text=_(says.text)), service_words(found.text))


def _age(passed: timedelta) -> str:
    hours = max(0.0, passed.total_seconds() / 3600)
    if hours < 1:
        minutes = round(hours * 60)
        if not minutes:
            return _("less than a minute")
        return ngettext("%(shown)s\u00a0minute", "%(shown)s\u00a0minutes", minutes, shown=count(minutes))
    if hours < 48:
        whole = round(hours)
        return ngettext("%(shown)s\u00a0hour", "%(shown)s\u00a0hours", whole, shown=count(whole))
    days = round(hours / 24)
    return ngettext("%(shown)s\u00a0day", "%(shown)s\u00a0days", days, shown=count(days))
