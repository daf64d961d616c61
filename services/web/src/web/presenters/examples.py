"""Tries with their verdicts."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from dynabench_client.results.annotation import Answer, Example
from dynabench_client.results.validation import ExampleResolution

from web.presenters import words
from web.presenters.configuration import TaskRules
from web.presenters.numbers import TimeView, milliseconds, moment, percent, plural
from web.presenters.words import LabelView, Word


@dataclass(frozen=True)
class ProbabilityView:
    """How sure a target is of one label; `meter` is the share for <meter>."""

    label: LabelView
    meter: str
    percent: str


@dataclass(frozen=True)
class AnswerView:
    """One target's answer, or why it is missing."""

    target: str
    label: LabelView | None
    top: ProbabilityView | None
    probabilities: list[ProbabilityView]
    outcome: str
    is_wrong: bool
    missing: str


@dataclass(frozen=True)
class TryView:
    """A try as its author sees it."""

    example_id: str
    round_id: str
    context_id: str
    context: list[tuple[str, str]]
    texts: list[tuple[str, str]]
    claimed: LabelView | None
    verdict: Word
    fooled: bool
    answers: list[AnswerView]
    rule: str
    took: str
    attempt: int
    created: TimeView | None
    is_retracted: bool
    resolution: Word | None
    standing: str
    why_label: str
    why_model: str


def try_view(example: Example, rules: TaskRules, resolution: ExampleResolution | None = None) -> TryView:
    """Return a try; without `resolution` nothing is said about votes."""
    return TryView(
        example_id=example.example_id,
        round_id=example.round_id,
        context_id=example.context_id,
        context=[(rules.context_label(name), str(text)) for name, text in example.context.items()],
        texts=_texts(example.input, rules),
        claimed=words.label(example.claimed_label, rules.labels) if example.claimed_label else None,
        verdict=words.verdict(example.verdict),
        fooled=example.fooled,
        answers=[answer_view(answer, rules.labels) for answer in example.answers],
        rule=rules.rule(len(example.answers)),
        took=milliseconds(example.milliseconds),
        attempt=example.attempt,
        created=moment(example.created_at),
        is_retracted=example.retracted_at is not None,
        resolution=words.resolution(resolution.resolution) if resolution else None,
        standing=_standing(example, resolution),
        why_label=example.explanations.label or "",
        why_model=example.explanations.model or "",
    )


def answer_view(answer: Answer, names: Sequence[str]) -> AnswerView:
    """Return one target's answer; probabilities come in the order of the task's labels."""
    if answer.missing is not None or answer.label is None:
        return AnswerView(answer.target, None, None, [], "no answer", False, answer.missing or "no answer")
    probabilities = answer.probabilities or {}
    order = [name for name in names if name in probabilities] + sorted(set(probabilities) - set(names))
    return AnswerView(
        target=answer.target,
        label=words.label(answer.label, names),
        top=_probability(answer.label, probabilities.get(answer.label), names),
        probabilities=[view for name in order if (view := _probability(name, probabilities[name], names))],
        outcome={True: "wrong", False: "right"}.get(bool(answer.wrong), "")
        if answer.wrong is not None
        else "",
        is_wrong=bool(answer.wrong),
        missing="",
    )


def _probability(name: str, share: float | None, names: Sequence[str]) -> ProbabilityView | None:
    if share is None:
        return None
    return ProbabilityView(words.label(name, names), f"{share:.4f}", percent(share, 0))


def _texts(values: Mapping[str, object], rules: TaskRules) -> list[tuple[str, str]]:
    return [(field.label, str(values[field.name])) for field in rules.texts if field.name in values]


def _standing(example: Example, resolution: ExampleResolution | None) -> str:
    """Return how far the votes have come, in words; a retracted example gets none any more."""
    if resolution is None or example.retracted_at is not None:
        return ""
    votes = plural(resolution.votes_counted, "vote")
    if resolution.resolution:
        return f"{resolution.resolution}, {votes}"
    return f"waits for votes, {votes} so far" if resolution.pending else "not sent to validation"
