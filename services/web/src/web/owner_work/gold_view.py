"""View of known items: people's results on them, and the form of a new one."""

from collections.abc import Sequence
from dataclasses import dataclass

from dynabench_client.results.validation import GoldItem
from dynabench_tasks.values import Value

from web.kit import fields
from web.kit.answers import shown_values
from web.kit.configuration import Field, TaskRules
from web.kit.fields import Asking, FieldView, FormValues, ShownValue, Texts
from web.kit.language import N_, _
from web.kit.numbers import count
from web.kit.problems import ProblemView
from web.owner_work.options import JUDGEMENT, JUDGEMENTS, asked_field

CONTEXT, INPUT, ANSWER = "context.", "input.", "check.answer"
ATTENTION = "attention"
RETIREMENTS = {
    "shown_often": N_("enough people have seen it"),
    "failed_often": N_("people keep failing it"),
    "decided_anew": N_("its example has a new decision"),
    "withdrawn": N_("an owner withdrew it"),
}


@dataclass(frozen=True)
class GoldRow:
    """An item with a known answer."""

    gold_id: str
    kind: str
    context: list[ShownValue]
    written: list[ShownValue]
    answers: list[ShownValue]
    shown: str
    answered: str
    failed: str
    retirement: str
    is_retired: bool


def gold_rows(found: Sequence[GoldItem], rules: TaskRules, kind: str) -> list[GoldRow]:
    """Return the view of the items; `kind` is the kind of the task's votes."""
    answer = answer_field(rules, kind)
    return [_row(item, rules, answer) for item in found]


def answer_field(rules: TaskRules, kind: str) -> Field:
    """Return the field of the right answer, the same as for a vote's value."""
    if kind == JUDGEMENT:
        return Field("answer", "multiclass", _("The right judgement of the claim"), labels=JUDGEMENTS)
    asked = asked_field(rules)
    return Field("answer", asked.type, _("The right answer"), labels=asked.labels, of=asked.of)


def input_fields(rules: TaskRules, kind: str) -> tuple[Field, ...]:
    """Return the input fields of a check; the claim is included only for votes by judgement."""
    return rules.input if kind == JUDGEMENT else rules.written


def check_questions(
    rules: TaskRules, kind: str, entered: FormValues, problem: ProblemView | None = None
) -> list[FieldView]:
    """Return the questions of a new attention check: context, input, then the right answer."""
    asked = [(CONTEXT + field.name, field) for field in rules.context]
    asked += [(INPUT + field.name, field) for field in input_fields(rules, kind)]
    asked.append((ANSWER, answer_field(rules, kind)))
    return [
        fields.ask(field, Asking(control=control, entered=entered, problem=problem))
        for control, field in asked
    ]


def span_texts(context: dict[str, Value], written: dict[str, Value]) -> Texts:
    """Return the texts in which a right answer can be marked."""
    both = {**context, **written}
    return {name: value for name, value in both.items() if isinstance(value, str)}


def _row(item: GoldItem, rules: TaskRules, answer: Field) -> GoldRow:
    retirement = item.retirement or ""
    return GoldRow(
        gold_id=item.gold_id,
        kind=_("attention check") if item.kind == ATTENTION else _("checked example"),
        context=shown_values(item.context, rules),
        written=shown_values(item.input, rules),
        answers=[fields.show(answer, value) for value in item.answers],
        shown=count(item.shown),
        answered=count(item.answered),
        failed=count(item.failed),
        retirement=_retired_because(retirement),
        is_retired=bool(retirement),
    )


def _retired_because(reason: str) -> str:
    return _(RETIREMENTS[reason]) if reason in RETIREMENTS else reason.replace("_", " ")
