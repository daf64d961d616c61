"""Questions of a task in a form, and their answers: values for the interfaces, or the field that can't be read."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from dynabench_client.results.annotation import Assignment, Example
from dynabench_tasks.values import Value

from web.kit import fields
from web.kit.configuration import Field, MetadataField, TaskRules
from web.kit.fields import Asking, FieldView, FormValues, Texts, Unreadable, When
from web.kit.language import _
from web.kit.problems import ProblemView

INPUT = "input."
METADATA = "metadata."
Circumstances = Mapping[str, frozenset[str]]


def input_questions(
    rules: TaskRules,
    assignment: Assignment,
    entered: FormValues,
    *,
    is_edit: bool = False,
    problem: ProblemView | None = None,
) -> list[FieldView]:
    """Return the main questions: a label to write for comes first, the rest in the order of the configuration."""
    passages, mirrored = passages_of(rules, assignment), controls_of(rules)
    labelled = {each.name for each in rules.input if each.is_one_label}
    ordered = sorted(rules.input, key=lambda each: each.name not in labelled)
    first_text = next((each.name for each in ordered if each.is_free_text), "")
    keyed = {first_text, rules.claimed.name if rules.claimed and rules.labels else ""}
    assigned = "" if is_edit else assignment.assigned_label or ""
    return [
        fields.ask(
            each,
            Asking(
                control=INPUT + each.name,
                entered=entered,
                has_keys=each.name in keyed,
                assigned=assigned if each == rules.claimed else "",
                passages=passages,
                mirrored=mirrored,
                problem=problem,
            ),
        )
        for each in ordered
    ]


def passages_of(rules: TaskRules, assignment: Assignment) -> dict[str, str]:
    """Return the shown texts of the context in which something is marked, with the elements that show them."""
    return passages_in(rules, assignment.context.fields) if assignment.context_shown else {}


def passages_in(rules: TaskRules, context: Mapping[str, Value]) -> dict[str, str]:
    """Return the texts of a context that is shown in which something is marked, with the elements that show them."""
    wanted = {each.of for each in _markers(rules)}
    names = [each.name for each in rules.context if each.name in wanted]
    return {name: f"passage-{name}" for name in names if not fields.is_blank(context.get(name))}


def controls_of(rules: TaskRules) -> dict[str, str]:
    """Return the texts that are being written and marked, with their controls."""
    wanted = {each.of for each in _markers(rules)}
    return {each.name: INPUT + each.name for each in rules.input if each.name in wanted}


def fresh_values(rules: TaskRules, assignment: Assignment) -> dict[str, Value]:
    """Return what the writer starts from: the context's text, where it is shown and the task says so."""
    if not assignment.context_shown:
        return {}
    given = assignment.context.fields
    started = {each.name: given.get(each.starts_from) for each in rules.written}
    return {
        name: value for name, value in started.items() if value is not None and not fields.is_blank(value)
    }


def filled_input(rules: TaskRules, values: Mapping[str, Value]) -> FormValues:
    """Return the controls of a form that holds these values of the input."""
    entered: dict[str, Sequence[str]] = {}
    for each in rules.input:
        if each.name in values:
            entered |= fields.fill(each, INPUT + each.name, values[each.name])
    return entered


def _markers(rules: TaskRules) -> list[Field]:
    asked = (*rules.input, *(each.field for each in rules.create_metadata))
    return [each for each in asked if each.of]


def before_submit(rules: TaskRules, round_number: int) -> list[MetadataField]:
    """Return the additional questions of the form: all that do not depend on the verdict."""
    return [
        each
        for each in rules.create_metadata
        if "verdict" not in each.words and round_number >= each.from_round
    ]


def after_verdict(rules: TaskRules, example: Example, round_number: int) -> list[MetadataField]:
    """Return what is asked once the verdict is known, with what is still to be answered."""
    given = {"verdict": frozenset({example.verdict}), "claimed": words_of(example.claimed)}
    return [
        each
        for each in rules.create_metadata
        if each.is_asked(given, round_number)
        and ("verdict" in each.words or (not each.is_optional and each.field.name not in example.metadata))
    ]


def circumstances_before(claimed: Value | None) -> Circumstances:
    """Return what is known of a try before its verdict."""
    return {"claimed": words_of(claimed)}


def metadata_questions(
    asked: Iterable[MetadataField],
    entered: FormValues,
    *,
    depends_on: Mapping[str, str] | None = None,
    passages: Texts | None = None,
    mirrored: Texts | None = None,
    problem: ProblemView | None = None,
) -> list[FieldView]:
    """Return metadata fields as questions; `depends_on` names the control of each kind of condition."""
    return [
        fields.ask(
            each.field,
            Asking(
                control=METADATA + each.field.name,
                entered=entered,
                is_required=not each.is_optional,
                when=_when(each, depends_on or {}),
                passages=passages or {},
                mirrored=mirrored or {},
                problem=problem,
            ),
        )
        for each in asked
    ]


def filled_metadata(asked: Iterable[MetadataField], values: Mapping[str, Value]) -> FormValues:
    """Return the controls of a form that holds metadata already."""
    entered: dict[str, Sequence[str]] = {}
    for each in asked:
        if each.field.name in values:
            entered |= fields.fill(each.field, METADATA + each.field.name, values[each.field.name])
    return entered


def claim_control(rules: TaskRules) -> dict[str, str]:
    """Return the control on which questions about the claim depend."""
    return {"claimed": INPUT + rules.claimed.name} if rules.claimed else {}


def _when(asked: MetadataField, depends_on: Mapping[str, str]) -> When | None:
    for kind, control in depends_on.items():
        if kind in asked.words:
            return When(control, asked.words[kind])
    return None


@dataclass(frozen=True)
class Reading:
    """The values that a form holds, or the first problem."""

    values: Mapping[str, Value]
    problem: ProblemView | None = None


def read_fields(asked: Sequence[Field], prefix: str, entered: FormValues, texts: Texts) -> Reading:
    """Return the values of fields whose controls begin with `prefix`; those left empty are left out."""
    values: dict[str, Value] = {}
    for field in asked:
        control = prefix + field.name
        try:
            value = fields.read(field, Asking(control=control, entered=entered), texts)
        except Unreadable as err:
            return Reading(values, refusal(control, err.reason, err.remedy))
        if value is not None:
            values[field.name] = value
    return Reading(values)


def read_input(rules: TaskRules, entered: FormValues, context: Mapping[str, Value]) -> Reading:
    """Return what a person wrote and claims; spans are looked for in the context and in what was written."""
    strings = [field for field in rules.input if field.is_free_text]
    written = read_fields(strings, INPUT, entered, {}).values
    return read_fields(rules.input, INPUT, entered, texts_of(rules, context, written))


def read_metadata(
    asked: Sequence[MetadataField],
    round_number: int,
    circumstances: Circumstances,
    entered: FormValues,
    texts: Texts,
) -> Reading:
    """Return the answers to the additional questions; answers to questions no longer asked are left out."""
    now = [each for each in asked if each.is_asked(circumstances, round_number)]
    reading = read_fields([each.field for each in now], METADATA, entered, texts)
    if reading.problem is None:
        given = {name: value for name, value in reading.values.items() if not fields.is_blank(value)}
        for each in now:
            if not each.is_optional and each.field.name not in given:
                problem = refusal(
                    METADATA + each.field.name, _("This question has no answer yet."), _("Answer it.")
                )
                return Reading(given, problem)
        return Reading(given)
    return reading


def texts_of(rules: TaskRules, context: Mapping[str, Value], written: Mapping[str, Value]) -> dict[str, str]:
    """Return all texts in which something may be marked."""
    return {
        field.name: str(values[field.name])
        for kinds, values in ((rules.context, context), (rules.input, written))
        for field in kinds
        if field.is_free_text and field.name in values
    }


def words_of(value: Value | None) -> frozenset[str]:
    """Return the labels in a claim or a vote, on which other questions may depend."""
    if value is None or isinstance(value, Mapping):
        return frozenset()
    return frozenset([value] if isinstance(value, str) else map(str, value))


def refusal(control: str, reason: str, remedy: str) -> ProblemView:
    """Return a problem of one field, found before anything was sent."""
    title = _("Something is missing or can't be read")
    return ProblemView(422, title, reason, remedy, control, "form-unusable")
