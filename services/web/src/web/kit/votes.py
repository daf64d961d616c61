"""Votes in print: what may be answered, what was answered, what was decided over them and appealed against."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from dynabench_client.results.validation import Adjudication, Appeal
from dynabench_tasks.values import Value

from web.kit import fields, words
from web.kit.configuration import Field, TaskRules
from web.kit.fields import ShownValue
from web.kit.language import N_, _
from web.kit.numbers import TimeView, moment
from web.kit.words import LabelView, Word

JUDGEMENT, INCORRECT = "judgement", "incorrect"
JUDGEMENTS = {"correct": N_("correct"), "incorrect": N_("incorrect")}
ANSWER = "vote.value"
FLAG = "flag"
WITHOUT_VALUE = {FLAG, "unsure"}


@dataclass(frozen=True)
class DecidedView:
    """A decision that stands."""

    resolution: Word | None
    reason: str
    at: TimeView | None


@dataclass(frozen=True)
class AppealView:
    """The author's appeal against the outcome of the example, and the answer to it once there is one."""

    reason: str
    at: TimeView | None
    answer: str


def vote_kind(configuration: Mapping[str, Any]) -> str:
    """Return the kind of the task's votes: `label`, or `judgement` of the author's claim."""
    validation = configuration.get("validation")
    return str(validation.get("vote") or "label") if isinstance(validation, Mapping) else "label"


def decided_view(found: Adjudication | None) -> DecidedView | None:
    """Return a decision in print, if there is one."""
    if found is None:
        return None
    return DecidedView(words.resolution(found.resolution, words.DECISIONS), found.reason, moment(found.at))


def appeal_view(found: Appeal | None) -> AppealView | None:
    """Return an appeal in print, if there is one."""
    return AppealView(found.reason, moment(found.at), found.answer or "") if found else None


def answer_field(rules: TaskRules, answer_type: str, options: tuple[str, ...]) -> Field:
    """Return the field of a vote's value; the claimed field names the text to mark."""
    kind = "multiclass" if answer_type == "judgement" else answer_type
    claimed = rules.claimed or Field("value", kind, _("Your answer"))
    return Field("value", kind, claimed.label, labels=options, of=claimed.of, meanings=claimed.meanings)


def shown_claim(value: Value | None, rules: TaskRules) -> ShownValue | None:
    """Return a value of the claimed field in print; None for none."""
    return fields.show(rules.claimed, value) if rules.claimed and value is not None else None


def judgement_words(name: str) -> str:
    """Return a judgement in the reader's language; anything else is a task's own word and stays."""
    return _(JUDGEMENTS[name]) if name in JUDGEMENTS else name


def option_views(options: Sequence[str], rules: TaskRules) -> list[LabelView]:
    """Return what may be chosen, with its colours; the first nine have digits as keys."""
    coloured = coloured_names(options, rules)
    return [
        LabelView(
            name,
            words.label(name, coloured).style,
            str(position) if position < 10 else "",
            meaning=rules.claimed.meaning_of(name) if rules.claimed else None,
        )
        for position, name in enumerate(options, start=1)
    ]


def coloured_names(options: Sequence[str], rules: TaskRules) -> tuple[str, ...]:
    """Return all names in the order that gives them colours: the task's labels keep theirs."""
    return rules.labels + tuple(name for name in options if name not in rules.labels)


def own_answer(kind: str, value: Value | None, rules: TaskRules) -> ShownValue | None:
    """Return what a person answered, in print; None for a flag and for being unsure."""
    if value is None or kind in WITHOUT_VALUE or rules.claimed is None:
        return None
    names = coloured_names(rules.options, rules)
    if kind == JUDGEMENT:
        judged = answer_field(rules, JUDGEMENT, tuple(map(judgement_words, names)))
        return fields.show(judged, judgement_words(str(value)))
    return fields.show(answer_field(rules, rules.claimed.type, names), value)
