"""The page on which a person validates examples of others."""

from collections.abc import Sequence
from dataclasses import dataclass

from dynabench_client.results.validation import Lease, MyVotes, Vote

from web.presenters import words
from web.presenters.configuration import TaskRules
from web.presenters.numbers import count, plural, seconds
from web.presenters.problems import ProblemView
from web.presenters.words import LabelView, Word

JUDGEMENTS = ("correct", "incorrect")


@dataclass(frozen=True)
class WorkView:
    """An example to answer on, blind, until the lease ends."""

    lease_id: str
    kind: str
    context: list[tuple[str, str]]
    texts: list[tuple[str, str]]
    options: list[LabelView]
    claim: LabelView | None
    key: str
    flag_key: str
    unsure_key: str
    reason: str
    problem: ProblemView | None


@dataclass(frozen=True)
class QueueView:
    """Why there is nothing to do, and when to look again."""

    reason: str
    again: str
    retry_after: int


@dataclass(frozen=True)
class RevealView:
    """What the author said, after the answer."""

    vote_id: str
    own: LabelView | None
    own_words: str
    claimed: LabelView | None
    explanation: str
    agrees: bool
    counted: bool
    resolution: Word | None


def work_view(
    lease: Lease, rules: TaskRules, *, key: str, reason: str = "", problem: ProblemView | None = None
) -> WorkView:
    """Return the example on lease. Raises ValueError for a lease without one."""
    if lease.lease_id is None or lease.example is None:
        raise ValueError("this lease holds no example")
    example = lease.example
    options = lease.options or rules.options
    if lease.vote == "judgement":
        options = lease.options or JUDGEMENTS
    return WorkView(
        lease_id=lease.lease_id,
        kind=lease.vote,
        context=[(rules.context_label(name), str(text)) for name, text in example.context.items()],
        texts=_texts(example.input, rules),
        options=_options(options, rules),
        claim=words.label(example.claim_to_judge, rules.labels) if example.claim_to_judge else None,
        key=key,
        flag_key="f",
        unsure_key=str(len(options) + 1) if len(options) < 9 else "u",
        reason=reason,
        problem=problem,
    )


def queue_view(lease: Lease) -> QueueView:
    """Return why there is no work now."""
    wait = max(1.0, lease.retry_after_seconds or 30.0)
    return QueueView(
        lease.reason or "Nothing waits for validation in this round.", seconds(wait), round(wait)
    )


def reveal_view(vote: Vote, rules: TaskRules, kind: str, label: str | None) -> RevealView:
    """Return what is shown after an answer."""
    claimed = vote.reveal.claimed_label
    return RevealView(
        vote_id=vote.vote_id,
        own=words.label(label, _coloured(rules.options, rules)) if label else None,
        own_words={"flag": "You flagged it.", "unsure": "You were unsure."}.get(kind, ""),
        claimed=words.label(claimed, rules.labels) if claimed else None,
        explanation=vote.reveal.explanation or "",
        agrees=claimed is not None and claimed == label,
        counted=vote.counted,
        resolution=words.resolution(vote.resolution),
    )


def work_line(mine: MyVotes | None) -> str:
    """Return one's own work in a line; empty while it can't be read."""
    if mine is None:
        return ""
    line = f"{count(mine.votes_today)} today"
    if mine.agreement is None:
        return line
    return f"{line} · agreement {mine.agreement:.2f} on {plural(mine.agreement_votes, 'example')}"


def _options(options: Sequence[str], rules: TaskRules) -> list[LabelView]:
    coloured = _coloured(options, rules)
    return [
        LabelView(name, words.label(name, coloured).style, str(position) if position < 10 else "")
        for position, name in enumerate(options, start=1)
    ]


def _coloured(options: Sequence[str], rules: TaskRules) -> tuple[str, ...]:
    """Return all names in the order that gives them colours: the task's labels keep theirs."""
    return rules.labels + tuple(name for name in options if name not in rules.labels)


def _texts(values: dict[str, object], rules: TaskRules) -> list[tuple[str, str]]:
    known = [(field.label, str(values[field.name])) for field in rules.texts if field.name in values]
    return known or [(name, str(text)) for name, text in values.items()]
