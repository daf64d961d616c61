"""Forms for a vote on an example, and for a correction of its claim."""

from collections.abc import Sequence
from dataclasses import dataclass

from dynabench_client.results.annotation import Round
from dynabench_tasks.values import Value, Values
from flask import request

from web.kit import fields, form
from web.kit.configuration import TaskRules
from web.kit.fields import Asking, Texts, Unreadable
from web.kit.language import _
from web.kit.problems import ProblemView
from web.kit.questions import METADATA, read_metadata, refusal, texts_of, words_of
from web.kit.votes import ANSWER, FLAG, JUDGEMENT, answer_field
from web.validate.reveal import Shown, shown_example

OPTION = "option:"
UNSURE = "unsure"


@dataclass(frozen=True)
class Ballot:
    """Content of a form: the kind of answer, its value and the additional questions; or the part that can't be read."""

    kind: str
    value: Value | None = None
    metadata: Values | None = None
    problem: ProblemView | None = None

    @property
    def reason(self) -> str | None:
        """The reason of a flag: why the example is unfit; None for other votes."""
        return form.text("reason") if self.kind == FLAG else None


@dataclass(frozen=True)
class Correction:
    """Right answer from a form, in place of the author's claim; or the part that can't be read."""

    value: Value | None = None
    problem: ProblemView | None = None


def read_ballot(found: Round, rules: TaskRules) -> Ballot:
    """Return the form's vote; spans are checked against the example in the form."""
    choice, given = request.form.get("choice", ""), request.form.get("kind", "label")
    kind = choice if choice in {FLAG, UNSURE} else given
    if choice.startswith(OPTION):
        return Ballot(kind, choice.removeprefix(OPTION))
    if kind == UNSURE:
        return Ballot(kind)
    shown = shown_example(request.form.get("shown", ""))
    texts = texts_of(rules, shown.context, shown.input)
    value, problem = (None, None) if kind == FLAG else _read_answer(kind, rules, texts)
    if problem is not None:
        return Ballot(kind, problem=problem)
    said = frozenset({FLAG}) if kind == FLAG else words_of(value)
    reading = read_metadata(rules.validate_metadata, found.number, {"vote": said}, form.entered(), texts)
    return Ballot(kind, value, reading.values, reading.problem)


def read_correction(rules: TaskRules, shown: Shown) -> Correction:
    """Return the right answer in the form; None if it is left open."""
    choice = request.form.get("choice", "")
    if choice.startswith(OPTION):
        return Correction(choice.removeprefix(OPTION))
    if rules.claimed is None or rules.claimed.is_one_label:
        return Correction()
    asked = answer_field(rules, rules.claimed.type, rules.labels)
    texts = texts_of(rules, shown.context, shown.input)
    try:
        value = fields.read(asked, Asking(control=ANSWER, entered=form.entered()), texts)
    except Unreadable as err:
        return Correction(problem=refusal(ANSWER, err.reason, err.remedy))
    return Correction(None if isinstance(value, str) and not value.strip() else value)


def typed_texts(rules: TaskRules) -> list[tuple[str, str]]:
    """Return the texts of a form that can no longer be sent, with the names of its fields."""
    labels = {METADATA + each.field.name: each.field.label for each in rules.validate_metadata}
    labels |= {ANSWER: _("Your answer")}
    entered = form.entered()
    typed = [
        (_("What is wrong with it"), form.text("reason")),
        (_("Your explanation"), form.text("explanation")),
        *((label, _joined(entered.get(control, ()))) for control, label in labels.items()),
    ]
    return [(label, text) for label, text in typed if text]


def _joined(values: Sequence[str]) -> str:
    return ", ".join(each.strip() for each in values if each.strip())


def _read_answer(kind: str, rules: TaskRules, texts: Texts) -> tuple[Value | None, ProblemView | None]:
    answer_type = JUDGEMENT if kind == JUDGEMENT or rules.claimed is None else rules.claimed.type
    asked = answer_field(rules, answer_type, rules.options)
    try:
        value = fields.read(asked, Asking(control=ANSWER, entered=form.entered()), texts)
    except Unreadable as err:
        return None, refusal(ANSWER, err.reason, err.remedy)
    if value is None:
        remedy = _("Choose an answer, say that you are unsure, or skip the text.")
        return None, refusal(ANSWER, _("No answer is chosen."), remedy)
    return value, None
