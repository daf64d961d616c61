"""What a form says, as the values of the interfaces; or which field can't be read, and why."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from dynabench_client.values import Value

from web.kit import fields
from web.kit.configuration import Field, MetadataField, TaskRules
from web.kit.fields import Asking, Held, Texts, Unreadable
from web.kit.problems import ProblemView

INPUT = "input."
METADATA = "metadata."
Circumstances = Mapping[str, frozenset[str]]


@dataclass(frozen=True)
class Reading:
    """The values that a form holds, or the first problem."""

    values: Mapping[str, Value]
    problem: ProblemView | None = None


def read_fields(asked: Sequence[Field], prefix: str, held: Held, texts: Texts) -> Reading:
    """Return the values of fields whose controls begin with `prefix`; those left empty are left out."""
    values: dict[str, Value] = {}
    for field in asked:
        control = prefix + field.name
        try:
            value = fields.read(field, Asking(control=control, held=held), texts)
        except Unreadable as err:
            return Reading(values, refusal(control, err.reason, err.remedy))
        if value is not None:
            values[field.name] = value
    return Reading(values)


def read_input(rules: TaskRules, held: Held, context: Mapping[str, Value]) -> Reading:
    """Return what a person wrote and claims; spans are looked for in the context and in what was written."""
    strings = [field for field in rules.input if field.type == "string"]
    written = read_fields(strings, INPUT, held, {}).values
    return read_fields(rules.input, INPUT, held, texts_of(rules, context, written))


def read_metadata(
    asked: Sequence[MetadataField], round_number: int, circumstances: Circumstances, held: Held, texts: Texts
) -> Reading:
    """Return what a person says beside the rest; what is not asked for any more is left out."""
    now = [each for each in asked if each.is_asked(circumstances, round_number)]
    reading = read_fields([each.field for each in now], METADATA, held, texts)
    if reading.problem is None:
        given = {name: value for name, value in reading.values.items() if not fields.is_blank(value)}
        for each in now:
            if not each.is_optional and each.field.name not in given:
                problem = refusal(
                    METADATA + each.field.name, "This is not answered yet.", "Please answer it."
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
        if field.type == "string" and field.name in values
    }


def words_of(value: Value | None) -> frozenset[str]:
    """Return the labels in a claim or a vote, on which other questions may depend."""
    if value is None or isinstance(value, Mapping):
        return frozenset()
    return frozenset([value] if isinstance(value, str) else map(str, value))


def refusal(control: str, reason: str, remedy: str) -> ProblemView:
    """Return a problem of one field, found before anything was sent."""
    return ProblemView(422, "Something is missing or can't be read", reason, remedy, control, "form-unusable")
