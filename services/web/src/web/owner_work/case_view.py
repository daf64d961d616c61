"""What waits for the owner's decision: the queue, one example of it with its votes, and what may be decided."""

import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from dynabench_client.results.annotation import Example
from dynabench_client.results.owner_work import WorkItem
from dynabench_client.results.validation import Adjudication, Appeal, CastVote, ExampleVotes
from dynabench_client.values import Value

from web.create.try_view import AnswerView, answer_view, shown_values
from web.kit import fields, words
from web.kit.configuration import Field, TaskRules
from web.kit.fields import Asking, FieldView, Held, ShownValue
from web.kit.numbers import TimeView, count, moment, percent, seconds, short_id
from web.kit.problems import ProblemView
from web.kit.round_actions import WORK_KINDS
from web.kit.words import LabelView, Word

FLAG = "flag"
JUDGEMENT = "judgement"
JUDGEMENTS = ("correct", "incorrect")
PLAIN = {"multiclass", "string"}
VALUE = "decision.value"
FILTERS = ("kind", "claimed", "agreed", "disagreement")
DISAGREEMENTS = {
    "author": "no vote says what the author claims",
    "voters": "the votes don't all say the same",
}
FLAG_OPTION = Word("flagged", "⚑", "flagged")


@dataclass(frozen=True)
class OptionView:
    """What votes said: a value of the task, or a flag."""

    value: ShownValue | None
    flag: Word | None
    number: str = ""


@dataclass(frozen=True)
class WorkItemView:
    """An example in the queue."""

    example_id: str
    context: list[ShownValue]
    written: list[ShownValue]
    claimed: ShownValue | None
    resolution: Word | None
    kinds: list[str]
    votes: list[OptionView]
    posterior: str
    waits_since: TimeView | None

    @property
    def summary(self) -> str:
        """A few words that tell the example from others."""
        return " · ".join(value.text for value in self.written)[:80] or short_id(self.example_id)


@dataclass(frozen=True)
class CastVoteView:
    """A vote with its reasons, as the owner sees it."""

    option: OptionView
    voter: str
    reason: str
    judged: str
    corrected: ShownValue | None
    explanation: str
    took: str
    is_counted: bool


@dataclass(frozen=True)
class DecidedView:
    """A decision that stands."""

    resolution: Word | None
    reason: str
    at: TimeView | None


@dataclass(frozen=True)
class AppealView:
    """What the author says against it."""

    reason: str
    at: TimeView | None
    answer: str


@dataclass(frozen=True)
class CaseView:
    """One example with all that speaks for or against a decision."""

    example_id: str
    context: list[ShownValue]
    written: list[ShownValue]
    claimed: ShownValue | None
    verdict: Word
    answers: list[AnswerView]
    why_label: str
    why_model: str
    resolution: Word | None
    votes: list[CastVoteView]
    appeal: AppealView | None
    decided: DecidedView | None


@dataclass(frozen=True)
class DecisionForm:
    """What the owner may answer: one of `options`, or a value in `answer`; or that the example is unfit."""

    kind: str
    question: str
    options: list[LabelView]
    answer: FieldView | None
    markable: Mapping[str, str]
    is_flag: bool
    reason: str


def work_item_view(item: WorkItem, rules: TaskRules, kind: str) -> WorkItemView:
    """Return an example of the queue in print; `kind` is what the task's votes are."""
    return WorkItemView(
        example_id=item.example_id,
        context=shown_values(item.context, rules),
        written=shown_values(item.input, rules),
        claimed=_shown(item.claimed, rules),
        resolution=words.resolution(item.resolution),
        kinds=[_kind_words(each) for each in item.kinds if each != item.resolution],
        votes=[option_view(each.option, rules, kind, count(each.count)) for each in item.votes],
        posterior=posterior_words(item, rules, kind),
        waits_since=moment(item.oldest_at),
    )


def _kind_words(kind: str) -> str:
    return WORK_KINDS[kind][0] if kind in WORK_KINDS else kind.replace("_", " ").capitalize()


def posterior_words(item: WorkItem | None, rules: TaskRules, kind: str) -> str:
    """Return what the statistics of the votes say, for example `negative, 62.0 %`; empty where they say nothing."""
    found = item.posterior if item else None
    if found is None:
        return ""
    shown = option_view(found.label, rules, kind)
    name = shown.value.text if shown.value else FLAG_OPTION.text
    return f"{name}, {percent(found.p)}"


def case_view(example: Example, votes: ExampleVotes, rules: TaskRules, kind: str) -> CaseView:
    """Return one example with its votes."""
    return CaseView(
        example_id=example.example_id,
        context=shown_values(example.context, rules),
        written=shown_values(example.input, rules),
        claimed=_shown(example.claimed, rules),
        verdict=words.verdict(example.verdict) if example.answers else words.NOBODY_ASKED,
        answers=[answer_view(answer, rules, example.verdict) for answer in example.answers],
        why_label=example.explanations.label or "",
        why_model=example.explanations.model or "",
        resolution=words.resolution(votes.resolution),
        votes=[_vote(position, vote, rules, kind) for position, vote in enumerate(votes.items, start=1)],
        appeal=_appeal(votes.appeal),
        decided=_decided(votes.adjudication),
    )


def decision_form(
    rules: TaskRules,
    kind: str,
    held: Held,
    choice: str = "",
    reason: str = "",
    problem: ProblemView | None = None,
) -> DecisionForm:
    """Return the form of a decision, with what it held before a refusal."""
    options = JUDGEMENTS if kind == JUDGEMENT else rules.options
    by_choice = kind == JUDGEMENT or asked_field(rules).type == "multiclass"
    span_of = asked_field(rules).of
    markable = {span_of: f"passage-{span_of}"} if span_of and not by_choice else {}
    asking = Asking(
        control=VALUE, held=held, has_keys=True, passages=markable, is_required=False, problem=problem
    )
    return DecisionForm(
        kind=kind,
        question="Is the author right?" if kind == JUDGEMENT else "What is right?",
        options=words.labels(options, {choice}, with_keys=True) if by_choice else [],
        answer=None if by_choice else fields.ask(asked_field(rules), asking),
        markable=markable,
        is_flag=choice == FLAG,
        reason=reason,
    )


def asked_field(rules: TaskRules) -> Field:
    """Return the field that a decision's value is of: the claimed one, with all that may be answered."""
    claimed = rules.claimed
    if claimed is None:
        return Field("value", "multiclass", "The answer", labels=rules.options)
    return Field("value", claimed.type, claimed.label, labels=rules.options or claimed.labels, of=claimed.of)


def vote_kind(configuration: Mapping[str, Any]) -> str:
    """Return what the task's votes are: `label`, or `judgement` of the author's claim."""
    validation = configuration.get("validation")
    return str(validation.get("vote") or "label") if isinstance(validation, Mapping) else "label"


def option_view(option: str, rules: TaskRules, kind: str, number: str = "") -> OptionView:
    """Return what votes said, given as a value text; anything that is none is shown as it is."""
    if option == FLAG:
        return OptionView(None, FLAG_OPTION, number)
    field = asked_field(rules)
    if kind == JUDGEMENT:
        return OptionView(fields.show(Field("value", "string", ""), option), None, number)
    return OptionView(fields.show(field, _value(option, field)), None, number)


def filters_of(given: Mapping[str, str]) -> dict[str, str]:
    """Return the filters of the queue that an address holds; what none of our pages holds is left out."""
    kept = {name: given.get(name, "") for name in FILTERS}
    known: Mapping[str, Collection[str]] = {"kind": WORK_KINDS, "disagreement": DISAGREEMENTS}
    return {name: value for name, value in kept.items() if value and value in known.get(name, (value,))}


def label_options(rules: TaskRules) -> Sequence[str]:
    """Return the labels that the queue can be filtered by; none where something else is claimed."""
    return asked_field(rules).labels if asked_field(rules).type == "multiclass" else ()


def _value(option: str, field: Field) -> Value:
    if field.type in PLAIN:
        return option
    try:
        value: Value = json.loads(option)
    except ValueError:
        return option
    return value


def _shown(value: Value | None, rules: TaskRules) -> ShownValue | None:
    return fields.show(rules.claimed, value) if rules.claimed and value is not None else None


def _vote(position: int, vote: CastVote, rules: TaskRules, kind: str) -> CastVoteView:
    judged = (
        ""
        if vote.agrees is None
        else "agrees with the author"
        if vote.agrees
        else "disagrees with the author"
    )
    return CastVoteView(
        option=option_view(vote.option, rules, kind),
        voter=f"Voter {short_id(vote.voter_id)}" if vote.voter_id else f"Vote {position}",
        reason=vote.reason,
        judged=judged,
        corrected=_shown(vote.corrected, rules),
        explanation=vote.explanation,
        took=seconds(vote.seconds) if vote.seconds else "",
        is_counted=vote.counted,
    )


def _decided(found: Adjudication | None) -> DecidedView | None:
    if found is None:
        return None
    return DecidedView(words.resolution(found.resolution), found.reason, moment(found.at))


def _appeal(found: Appeal | None) -> AppealView | None:
    return AppealView(found.reason, moment(found.at), found.answer or "") if found else None
