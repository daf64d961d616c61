"""The page on which a person validates examples of others."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from dynabench_client.results.validation import Lease, MyVotes, Vote
from dynabench_client.values import Value

from web.presenters import fields, words
from web.presenters.configuration import Field, MetadataField, TaskRules, metadata_fields
from web.presenters.examples import shown_values
from web.presenters.fields import Asking, FieldView, Held, ShownValue
from web.presenters.fields.span import ShownSpan
from web.presenters.marked_text import MarkedText, marked_text, other_mark, own_mark
from web.presenters.numbers import count, plural, seconds
from web.presenters.problems import ProblemView
from web.presenters.questions import metadata_questions
from web.presenters.reading import texts_of
from web.presenters.words import LabelView, Word

JUDGEMENTS = ("correct", "incorrect")
ONE_OF_OPTIONS = {"multiclass", "judgement"}
ANSWER = "vote.value"
FLAG = "flag"


@dataclass(frozen=True)
class WorkView:
    """An example to answer on, blind, until the lease ends.

    A choice of one answers at a press of its button (`options`); where more is asked beside it, or the answer is
    no such choice, `answer` is a question in the form.
    """

    lease_id: str
    kind: str
    context: list[ShownValue]
    written: list[ShownValue]
    options: list[LabelView]
    answer: FieldView | None
    metadata: list[FieldView]
    flag_metadata: list[FieldView]
    markable: Mapping[str, str]
    claim: ShownValue | None
    key: str
    unsure_key: str
    reason: str
    shown: str
    problem: ProblemView | None

    @property
    def question(self) -> str:
        """What is asked, above the answers."""
        is_span = self.answer is not None and self.answer.type == "span"
        return "Mark the answer." if is_span else "What would you call it?"

    @property
    def is_problem_in_field(self) -> bool:
        """Tell whether the refusal is told beside a field."""
        asked = (*([self.answer] if self.answer else []), *self.metadata, *self.flag_metadata)
        return any(each.problem for each in asked)


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
    own: ShownValue | None
    own_words: str
    claimed: ShownValue | None
    marked: list[MarkedText]
    written: list[ShownValue]
    explanation: str
    agrees: bool
    counted: bool
    resolution: Word | None


@dataclass(frozen=True)
class Shown:
    """The example that an answer was given on, as the form carries it to the page of the reveal."""

    context: Mapping[str, Value]
    input: Mapping[str, Value]


def work_view(
    lease: Lease,
    rules: TaskRules,
    *,
    key: str,
    held: Held | None = None,
    round_number: int = 1,
    reason: str = "",
    problem: ProblemView | None = None,
) -> WorkView:
    """Return the example on lease. Raises ValueError for a lease without one."""
    if lease.lease_id is None or lease.example is None:
        raise ValueError("this lease holds no example")
    example, asked = lease.example, asked_beside(lease, round_number)
    options = options_of(lease, rules)
    by_button = lease.answer_type in ONE_OF_OPTIONS and not any(FLAG not in _votes(each) for each in asked)
    markable = {lease.span_of: f"passage-{lease.span_of}"} if lease.span_of else {}
    asking = Asking(
        control=ANSWER, held=held or {}, has_keys=True, passages=markable, is_required=False, problem=problem
    )
    only_flags = [each for each in asked if _votes(each) == {FLAG}]
    questions = {
        is_flag: metadata_questions(
            [each for each in asked if (each in only_flags) == is_flag],
            held or {},
            depends_on={} if is_flag else {"vote": ANSWER},
            passages=markable,
            problem=problem,
        )
        for is_flag in (False, True)
    }
    shown = {"context": example.context, "input": example.input}
    return WorkView(
        lease_id=lease.lease_id,
        kind=lease.vote,
        context=shown_values(example.context, rules),
        written=shown_values(example.input, rules),
        options=_options(options, rules) if by_button else [],
        answer=None if by_button else fields.ask(answer_field(rules, lease.answer_type, options), asking),
        metadata=questions[False],
        flag_metadata=questions[True],
        markable=markable,
        claim=_claim(example.claim_to_judge, rules),
        key=key,
        unsure_key=str(len(options) + 1) if by_button and len(options) < 9 else "u",
        reason=reason,
        shown=json.dumps(shown, ensure_ascii=False),
        problem=problem,
    )


def answer_field(rules: TaskRules, answer_type: str, options: tuple[str, ...]) -> Field:
    """Return the field that a vote's value is of; what is marked is told by the claim."""
    kind = "multiclass" if answer_type == "judgement" else answer_type
    label, of = (rules.claimed.label, rules.claimed.of) if rules.claimed else ("Your answer", "")
    return Field("value", kind, label, labels=options, of=of)


def options_of(lease: Lease, rules: TaskRules) -> tuple[str, ...]:
    """Return what may be chosen."""
    return lease.options or (JUDGEMENTS if lease.vote == "judgement" else rules.options)


def asked_beside(lease: Lease, round_number: int) -> tuple[MetadataField, ...]:
    """Return what is asked beside the vote in this round."""
    return tuple(each for each in metadata_fields(lease.metadata_fields) if round_number >= each.from_round)


def queue_view(lease: Lease) -> QueueView:
    """Return why there is no work now."""
    wait = max(1.0, lease.retry_after_seconds or 30.0)
    return QueueView(
        lease.reason or "Nothing waits for validation in this round.", seconds(wait), round(wait)
    )


def reveal_view(vote: Vote, rules: TaskRules, kind: str, value: Value | None, shown: Shown) -> RevealView:
    """Return what is shown after an answer."""
    claimed = _claim(vote.reveal.claimed, rules)
    own = None
    if kind == "label" and value is not None and rules.claimed is not None:
        coloured = answer_field(rules, rules.claimed.type, _coloured(rules.options, rules))
        own = fields.show(coloured, value)
    return RevealView(
        vote_id=vote.vote_id,
        own=own,
        own_words={"flag": "You flagged it.", "unsure": "You were unsure."}.get(kind, ""),
        claimed=claimed,
        marked=_marked(own, claimed, rules, shown),
        written=shown_values(shown.input, rules),
        explanation=vote.reveal.explanation or "",
        agrees=claimed is not None and own is not None and claimed.text == own.text,
        counted=vote.counted,
        resolution=words.resolution(vote.resolution),
    )


def shown_example(carried: str) -> Shown:
    """Return the example that a form carries; nothing for what none of our forms holds."""
    try:
        document = json.loads(carried)
    except ValueError:
        return Shown({}, {})
    if not isinstance(document, dict):
        return Shown({}, {})
    parts = [document.get(name) for name in ("context", "input")]
    return Shown(*(part if isinstance(part, dict) else {} for part in parts))


def work_line(mine: MyVotes | None) -> str:
    """Return one's own work in a line; empty while it can't be read."""
    if mine is None:
        return ""
    line = f"{count(mine.votes_today)} today"
    if mine.agreement is None:
        return line
    return f"{line} · agreement {mine.agreement:.2f} on {plural(mine.agreement_votes, 'example')}"


def _claim(value: Value | None, rules: TaskRules) -> ShownValue | None:
    return fields.show(rules.claimed, value) if rules.claimed and value is not None else None


def _marked(
    own: ShownValue | None, claimed: ShownValue | None, rules: TaskRules, shown: Shown
) -> list[MarkedText]:
    """Return the text with one's own mark and the author's, where answers are marks."""
    if not isinstance(claimed, ShownSpan):
        return []
    marks = [own_mark("You", own)] if isinstance(own, ShownSpan) else []
    text = texts_of(rules, shown.context, shown.input).get(claimed.of, "")
    both = [*marks, other_mark("The author", claimed, 0)]
    return [marked_text(rules.field(claimed.of).label, text, both)] if text else []


def _votes(asked: MetadataField) -> set[str]:
    return set(asked.words.get("vote", ()))


def _options(options: Sequence[str], rules: TaskRules) -> list[LabelView]:
    coloured = _coloured(options, rules)
    return [
        LabelView(name, words.label(name, coloured).style, str(position) if position < 10 else "")
        for position, name in enumerate(options, start=1)
    ]


def _coloured(options: Sequence[str], rules: TaskRules) -> tuple[str, ...]:
    """Return all names in the order that gives them colours: the task's labels keep theirs."""
    return rules.labels + tuple(name for name in options if name not in rules.labels)
