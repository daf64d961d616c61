"""Where one round stands: its funnel, people, labels, effort, health, and whether the next one is due."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

from dynabench_client.results.leaderboard import Breakdown, RoundFigures
from dynabench_client.results.owner_work import WorkCounts
from dynabench_client.results.rounds import Collection
from dynabench_client.results.standing import Evidence, Funnel, NextRound, Standing

from web.kit.numbers import MISSING, count, decimal, percent, plural
from web.kit.rounds import FiguresRow, figures_row
from web.kit.words import Word

PARTS = {
    "segment": "segment",
    "target": "target",
    "condition": "condition",
    "cohort": "cohort",
    "tag": "tag of the context",
    "week": "week",
}
ADVICE = {
    "now": Word("Yes, now", "◆", "fooled"),
    "soon": Word("Soon", "◇", "open"),
    "not_yet": Word("Not yet", "○", "draft"),
}
SAYS = {
    "now": Word("speaks for it", "✓", "correct"),
    "not_yet": Word("speaks against it", "✕", "incorrect"),
    "unknown": Word("can't be told", "?", "no-verdict"),
}
QUESTIONS = {
    "goal": "The goal",
    "saturation": "Fooling gets harder",
    "yield": "Errors get rarer",
    "validity": "What is checked is right",
    "pending": "Little is left to check",
}


@dataclass(frozen=True)
class EvidenceRow:
    """One sign for or against the next round."""

    question: str
    says: Word
    text: str


@dataclass(frozen=True)
class NextRoundView:
    """Whether it is time for the next round, and why."""

    advice: Word
    evidence: list[EvidenceRow]


@dataclass(frozen=True)
class BreakdownView:
    """The figures of a round's parts."""

    by: str
    part: str
    rows: list[FiguresRow]


def stages_of(contexts: int | None, funnel: Funnel) -> list[tuple[str, int]]:
    """Return the stages that an example passes, with how many reached each; contexts only where they are known."""
    stages = [] if contexts is None else [("Contexts", contexts)]
    stages += [("Tries", funnel.tries), ("Fooled", funnel.fooled), ("Resolved", funnel.resolved)]
    outcomes = [
        ("– correct", funnel.correct),
        ("– incorrect", funnel.incorrect),
        ("– flagged", funnel.flagged),
        ("– disputed", funnel.disputed),
    ]
    return [*stages, *outcomes, *([("– no claim", funnel.no_claim)] if funnel.no_claim else [])]


def next_round_view(found: NextRound) -> NextRoundView:
    """Return the advice about the next round."""
    advice = ADVICE.get(found.advice) or Word(found.advice.replace("_", " ").capitalize(), "○", "draft")
    return NextRoundView(advice, [_evidence(each) for each in found.evidence])


def breakdown_view(found: Breakdown, by: str) -> BreakdownView:
    """Return the figures of the round's parts."""
    named = [(f"Segment {item.name}" if by == "segment" else item.name, item) for item in found.items]
    return BreakdownView(by, PARTS[by], [figures_row(name, "", item) for name, item in named])


def segment_names(board: RoundFigures | None) -> dict[str, str]:
    """Return the names of a round's segments by their ids."""
    segments = board.segments if board else ()
    return {
        segment.segment_id: f"Segment {segment.number or position}"
        for position, segment in enumerate(segments, start=1)
    }


def people_lines(standing: Standing | None, collection: Collection | None) -> list[tuple[str, str]]:
    """Return who wrote the round and how alike their texts are, as names with values."""
    lines = []
    if standing is not None:
        authors = standing.authors
        lines += [
            ("Authors", count(authors.people)),
            ("Tries by the first author", percent(authors.top1_share)),
            ("Tries by the first five", percent(authors.top5_share)),
            ("Concentration (HHI, 1 is one author)", decimal(authors.hhi, 2)),
        ]
    if collection is not None:
        near = collection.near_duplicates
        looked = f"of the newest {count(near.examples)}"
        lines += [
            ("Near duplicates", MISSING if near.share is None else f"{percent(near.share)} {looked}"),
            ("Contexts used", f"{count(collection.contexts_used)} of {count(collection.contexts)}"),
            ("Contexts reported", count(collection.contexts_flagged)),
            ("Contexts withdrawn", count(collection.contexts_withdrawn)),
            ("Fooling without a reason", count(collection.unexplained_fooling)),
        ]
    return lines


def cohort_rows(cohorts: Mapping[str, int]) -> list[tuple[str, str, str]]:
    """Return tries by the kind of person: name, number, share."""
    total = sum(cohorts.values())
    return [
        (name, count(number), percent(number / total if total else None)) for name, number in cohorts.items()
    ]


def backlog_sentence(counts: WorkCounts, now: datetime) -> str:
    """Return how much waits for votes, and for how long."""
    if not counts.pending:
        return "Nothing waits for votes."
    verb = "waits" if counts.pending == 1 else "wait"
    said = f"{plural(counts.pending, 'example')} {verb} for votes"
    if counts.oldest_pending_at is not None:
        said += f", the oldest for {_age(now - counts.oldest_pending_at)}"
    working = (
        f"; {plural(counts.leases_out, 'person has', 'people have')} one in hand" if counts.leases_out else ""
    )
    return f"{said}{working}."


def _evidence(found: Evidence) -> EvidenceRow:
    question = QUESTIONS.get(found.name) or found.name.replace("_", " ").capitalize()
    return EvidenceRow(question, SAYS.get(found.says, SAYS["unknown"]), found.text)


def _age(passed: timedelta) -> str:
    hours = max(0.0, passed.total_seconds() / 3600)
    if hours < 1:
        return plural(round(hours * 60), "minute")
    return plural(round(hours), "hour") if hours < 48 else plural(round(hours / 24), "day")
