"""Examples in print: values, targets' answers, and worked examples."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from dynabench_client.results.annotation import TargetAnswer
from dynabench_tasks.values import Value

from web.kit import fields
from web.kit.configuration import Field, TaskRules
from web.kit.fields import ShownValue
from web.kit.fields.probabilities import ProbabilityView, probabilities
from web.kit.language import N_, _
from web.kit.numbers import percent
from web.kit.service_words import service_words
from web.kit.words import LabelView

MARGINS = (
    (0.6, N_("It was only %(share)s sure of its answer: you nearly fooled it.")),
    (0.8, N_("It was %(share)s sure of its answer: you came closer.")),
    (1.0, N_("It was %(share)s sure of its answer: try something quite different.")),
)


@dataclass(frozen=True)
class AnswerView:
    """One target's answer, or why there is none; `is_open` where the author has yet to say if it is wrong."""

    target: str
    value: ShownValue | None
    top: ProbabilityView | None
    probabilities: list[ProbabilityView]
    outcome: str
    is_wrong: bool
    is_open: bool
    margin: str
    missing: str
    is_asked: bool = True


def shown_values(values: Mapping[str, Value], rules: TaskRules) -> list[ShownValue]:
    """Return values of context or input in print: in the order of the configuration, then what it has no more.

    Empty ones are left out.
    """
    order = [field.name for field in (*rules.context, *rules.input) if field.name in values]
    names = [*order, *(name for name in values if name not in order)]
    return [
        fields.show(rules.field(name), values[name]) for name in names if not fields.is_blank(values[name])
    ]


def answer_view(answer: TargetAnswer, rules: TaskRules, verdict: str = "") -> AnswerView:
    """Return one target's answer; probabilities come in the order of the task's labels."""
    if answer.not_asked:
        words = _("not asked: an earlier model was right")
        return AnswerView(
            answer.target, None, None, [], _("not asked"), False, False, "", words, is_asked=False
        )
    if answer.missing is not None or answer.value is None:
        missing = service_words(answer.missing or "") or _("no answer")
        return AnswerView(answer.target, None, None, [], _("no answer"), False, False, "", missing)
    value = fields.show(rules.claimed or Field("answer", "string", _("Answer")), answer.value)
    shares = answer.probabilities or {}
    confidence = answer.confidence if answer.confidence is not None else shares.get(value.text)
    is_open = answer.wrong is None and verdict == "undecided"
    return AnswerView(
        target=answer.target,
        value=value,
        top=None if confidence is None else _confidence(value, confidence),
        probabilities=probabilities(shares, rules.labels),
        outcome="" if answer.wrong is None else _("wrong") if answer.wrong else _("right"),
        is_wrong=bool(answer.wrong),
        is_open=is_open,
        margin=_margin(answer, confidence, rules, verdict),
        missing="",
    )


def _confidence(value: ShownValue, share: float) -> ProbabilityView:
    return ProbabilityView(LabelView(value.text, "label-other"), f"{share:.4f}", percent(share, 0))


def _margin(answer: TargetAnswer, confidence: float | None, rules: TaskRules, verdict: str) -> str:
    """Return how near a try came, for tasks that tell it, after a verdict that is not `fooled`."""
    if not rules.margin_hint or verdict != "not_fooled" or answer.wrong is not False or confidence is None:
        return ""
    words = next(words for limit, words in MARGINS if confidence < limit or limit == 1.0)
    return _(words, share=percent(confidence, 0))


@dataclass(frozen=True)
class WorkedExampleView:
    """A worked example in print."""

    context: Sequence[ShownValue]
    input: Sequence[ShownValue]
    why: str


def worked_examples(rules: TaskRules) -> list[WorkedExampleView]:
    """Return a task's worked examples."""
    return [
        WorkedExampleView(
            fields.show_all(rules.context, each.context), fields.show_all(rules.input, each.input), each.why
        )
        for each in rules.worked_examples
    ]
