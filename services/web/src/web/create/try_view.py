"""Tries with their verdicts."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from dynabench_client.results.annotation import Answer, Example
from dynabench_client.results.validation import ExampleResolution
from dynabench_client.values import Value

from web.kit import fields, words
from web.kit.configuration import Field, TaskRules
from web.kit.fields import ShownValue
from web.kit.fields.probabilities import ProbabilityView, probabilities
from web.kit.fields.span import ShownSpan
from web.kit.marked_text import MarkedText, marked_text, other_mark, own_mark
from web.kit.numbers import TimeView, milliseconds, moment, percent, plural
from web.kit.reading import texts_of
from web.kit.word_diff import DiffPiece, word_diff
from web.kit.words import LabelView, Word

ANSWER = Field("answer", "string", "Answer")
MARGINS = ((0.6, "close"), (0.8, "not far off"), (1.0, "far off"))


@dataclass(frozen=True)
class AnswerView:
    """One target's answer, or why it is missing; `is_open` where the author has yet to say if it is wrong."""

    target: str
    value: ShownValue | None
    top: ProbabilityView | None
    probabilities: list[ProbabilityView]
    outcome: str
    is_wrong: bool
    is_open: bool
    margin: str
    missing: str


@dataclass(frozen=True)
class EditView:
    """What the author changed in a text: the context that they started from, or the example that they edited."""

    label: str
    pieces: list[DiffPiece]


@dataclass(frozen=True)
class TryView:
    """A try as its author sees it."""

    example_id: str
    round_id: str
    context_id: str
    context: list[ShownValue]
    written: list[ShownValue]
    claimed: ShownValue | None
    metadata: list[ShownValue]
    marked: list[MarkedText]
    edits: list[EditView]
    verdict: Word
    fooled: bool
    answers: list[AnswerView]
    rule: str
    took: str
    attempt: int
    created: TimeView | None
    is_retracted: bool
    is_perturbation: bool
    resolution: Word | None
    standing: str
    why_label: str
    why_model: str

    @property
    def asked_targets(self) -> list[str]:
        """The targets that answered, which can be inspected."""
        return [answer.target for answer in self.answers if not answer.missing]

    @property
    def open_answers(self) -> list[AnswerView]:
        """The answers of which the author has yet to say whether they are wrong."""
        return [answer for answer in self.answers if answer.is_open and not self.is_retracted]

    @property
    def has_margin(self) -> bool:
        """Tell whether the author was told how near they came."""
        return any(answer.margin for answer in self.answers)


def try_view(
    example: Example,
    rules: TaskRules,
    resolution: ExampleResolution | None = None,
    original: Example | None = None,
) -> TryView:
    """Return a try; without `resolution` nothing is said about votes, without `original` nothing about an edit."""
    answers = [answer_view(answer, rules, example.verdict) for answer in example.answers]
    claimed = None
    if rules.claimed is not None and example.claimed is not None:
        claimed = fields.show(rules.claimed, example.claimed)
    asked = [each.field for each in rules.create_metadata]
    return TryView(
        example_id=example.example_id,
        round_id=example.round_id,
        context_id=example.context_id,
        context=shown_values(example.context, rules),
        written=shown_values(example.input, rules),
        claimed=claimed,
        metadata=fields.show_all(asked, example.metadata),
        marked=_marked(example, rules, claimed, answers),
        edits=_edits(example, rules, original),
        verdict=words.verdict(example.verdict) if example.answers else words.NOBODY_ASKED,
        fooled=example.fooled,
        answers=answers,
        rule=rules.rule(len(example.answers)),
        took=milliseconds(example.milliseconds),
        attempt=example.attempt,
        created=moment(example.created_at),
        is_retracted=example.retracted_at is not None,
        is_perturbation=example.perturbation_of is not None,
        resolution=words.resolution(resolution.resolution) if resolution else None,
        standing=_standing(example, resolution),
        why_label=example.explanations.label or "",
        why_model=example.explanations.model or "",
    )


def shown_values(values: Mapping[str, Value], rules: TaskRules) -> list[ShownValue]:
    """Return values of context or input in print: in the order of the configuration, then what it has no more.

    Empty ones are left out.
    """
    order = [field.name for field in (*rules.context, *rules.input) if field.name in values]
    names = [*order, *(name for name in values if name not in order)]
    return [
        fields.show(rules.field(name), values[name]) for name in names if not fields.is_blank(values[name])
    ]


def answer_view(answer: Answer, rules: TaskRules, verdict: str = "") -> AnswerView:
    """Return one target's answer; probabilities come in the order of the task's labels."""
    if answer.missing is not None or answer.value is None:
        missing = answer.missing or "no answer"
        return AnswerView(answer.target, None, None, [], "no answer", False, False, "", missing)
    value = fields.show(rules.claimed or ANSWER, answer.value)
    shares = answer.probabilities or {}
    confidence = answer.confidence if answer.confidence is not None else shares.get(value.text)
    is_open = answer.wrong is None and verdict == "undecided"
    return AnswerView(
        target=answer.target,
        value=value,
        top=None if confidence is None else _confidence(value, confidence),
        probabilities=probabilities(shares, rules.labels),
        outcome="" if answer.wrong is None else "wrong" if answer.wrong else "right",
        is_wrong=bool(answer.wrong),
        is_open=is_open,
        margin=_margin(answer, confidence, rules, verdict),
        missing="",
    )


def _confidence(value: ShownValue, share: float) -> ProbabilityView:
    return ProbabilityView(LabelView(value.text, "label-other"), f"{share:.4f}", percent(share, 0))


def _margin(answer: Answer, confidence: float | None, rules: TaskRules, verdict: str) -> str:
    """Return how near a try came, for tasks that tell it, after a verdict that is not `fooled`."""
    if not rules.margin_hint or verdict != "not_fooled" or answer.wrong is not False or confidence is None:
        return ""
    word = next(word for limit, word in MARGINS if confidence < limit or limit == 1.0)
    return f"{percent(confidence, 0)} sure: {word}"


def _marked(
    example: Example, rules: TaskRules, claimed: ShownValue | None, answers: Sequence[AnswerView]
) -> list[MarkedText]:
    """Return the text in which author and targets marked something, if the claim is such a mark."""
    if not isinstance(claimed, ShownSpan):
        return []
    text = texts_of(rules, example.context, example.input).get(claimed.of, "")
    models = [
        other_mark(answer.target, answer.value, position)
        for position, answer in enumerate(answers)
        if isinstance(answer.value, ShownSpan)
    ]
    return [marked_text(rules.field(claimed.of).label, text, [own_mark("You", claimed), *models])]


def _edits(example: Example, rules: TaskRules, original: Example | None) -> list[EditView]:
    edits = []
    for field in rules.written:
        after = example.input.get(field.name)
        before = original.input.get(field.name) if original else None
        if original is None and field.starts_from and example.condition not in rules.hidden_arms:
            before = example.context.get(field.starts_from)
        if isinstance(before, str) and before.strip() and isinstance(after, str) and before != after:
            edits.append(EditView(field.label, word_diff(before, after)))
    return edits


def _standing(example: Example, resolution: ExampleResolution | None) -> str:
    """Return how far the votes have come, in words; a retracted example gets none any more."""
    if resolution is None or example.retracted_at is not None:
        return ""
    votes = plural(resolution.votes_counted, "vote")
    if resolution.resolution:
        return f"{resolution.resolution}, {votes}"
    return f"waits for votes, {votes} so far" if resolution.pending else "not sent to validation"
