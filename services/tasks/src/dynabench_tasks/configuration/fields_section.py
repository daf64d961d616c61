"""The fields of a task, checked as a whole: names, references, and the claimed field."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from dynabench_tasks.configuration.field_lists import (
    MOST_FIELDS,
    FieldDraft,
    FieldList,
    FieldLists,
    FieldShape,
    refuse_unknown_text,
)
from dynabench_tasks.configuration.nested_shapes import Key, ListOf, MapOf
from dynabench_tasks.configuration.problems import INVALID, Place, Reading
from dynabench_tasks.configuration.shapes import Flag, Text
from dynabench_tasks.fields import FIELD_TYPES, Field
from dynabench_tasks.fields.string import StringField

STARTING_TYPES = tuple(name for name in FIELD_TYPES.names if FIELD_TYPES[name].can_start)
OPTIONAL = Key(Flag(), False, "Whether the text may be left out or blank", "is_optional")
FIELD = FieldShape(FIELD_TYPES.names)
CONTEXT_FIELD = FieldShape(STARTING_TYPES, lambda name: {"optional": OPTIONAL} if name == "string" else {})
CONTEXT = Key(ListOf(CONTEXT_FIELD, 1, MOST_FIELDS), description="What people start from")
INPUT = Key(ListOf(FIELD, 1, MOST_FIELDS), description="What people write and claim")
OUTPUT = Key(
    ListOf(FIELD, 1, MOST_FIELDS),
    description="What targets answer; shares the claimed field with the input",
)
INSTANCE = Key(
    MapOf(Text(40), 1),
    None,
    "The model's text fields, each with the task's field that fills it",
)


@dataclass(frozen=True)
class TaskFields:
    """The three lists of fields, and the field that authors claim: it stands in input and output."""

    context: tuple[Field, ...]
    input: tuple[Field, ...]
    output: tuple[Field, ...]
    claimed: Field

    @property
    def texts(self) -> tuple[str, ...]:
        """Return the names of the string fields of context and input."""
        return tuple(_texts((*self.context, *self.input)))

    @property
    def written(self) -> tuple[Field, ...]:
        """Return the fields of the input without the claim."""
        return tuple(field for field in self.input if field.name != self.claimed.name)


def check_fields(fields: FieldLists, reading: Reading) -> Field | None:
    """Return the claimed field, or None if it can't be determined; contradictions are added to `reading`."""
    context, inputs, outputs = fields.context, fields.inputs, fields.outputs
    for each in (context, inputs, outputs):
        reading.refuse_twice(each.names, each.place)
        _refuse_misplaced(each, reading)
    for place, draft in inputs.placed:
        if draft.name is not INVALID and draft.name in context.names:
            reading.refuse((*place, "name"), f"repeats the context's {draft.name!r}", "Give it another name.")
    _check_references(context, (context,), reading)
    _check_references(inputs, (context, inputs), reading)
    for place, draft in inputs.placed:
        if isinstance(draft.field, StringField):
            starts = draft.field.starts_from
            refuse_unknown_text(starts, (*place, "starts_from"), (context,), "text of the context", reading)
    claimed = _claimed_of(inputs, outputs, reading)
    if claimed is not None:
        _check_outputs(outputs, claimed, reading)
    return claimed


def make_instance(
    given: Mapping[str, Any] | None, place: Place, fields: FieldLists, claimed: Field | None, reading: Reading
) -> Mapping[str, str]:
    """Return which task field each field of a model's instance holds: the written texts by default."""
    if claimed is None:
        return {}
    if given is None:
        return {field.name: field.name for field in fields.inputs.whole if _is_written_text(field, claimed)}
    texts = [name for name in (*fields.context.texts, *fields.inputs.texts) if name != claimed.name]
    optional = {field.name for field in fields.context.whole if field.default is not None}
    for name, source in given.items():
        if source is INVALID:
            continue
        here = (*place, name)
        if source in optional:
            reason = f"is {source!r}, which is optional, and models refuse empty texts"
            reading.refuse(here, reason, "Map it to a text that must be there.")
        elif source not in texts and fields.context.is_named and fields.inputs.is_named:
            reading.refuse_reference(source, here, texts, "text of context or input")
    return dict(given)


def _is_written_text(field: Field, claimed: Field) -> bool:
    return field.type_name == "string" and field.name != claimed.name


def _texts(fields: Iterable[Field]) -> list[str]:
    return [field.name for field in fields if field.type_name == "string"]


def _refuse_misplaced(fields: FieldList, reading: Reading) -> None:
    key = fields.place[-1]
    for place, draft in fields.placed:
        here = (*place, "type")
        if draft.type_name == "probabilities" and key != "output":
            reading.refuse(here, "is probabilities", "Probabilities stand in `output` alone.")
        elif key == "context" and draft.type_name not in (*STARTING_TYPES, INVALID):
            reading.refuse(here, f"is {draft.type_name}", f"A context holds {' and '.join(STARTING_TYPES)}.")
        if key != "input" and isinstance(draft.field, StringField) and draft.field.starts_from is not None:
            reading.refuse((*place, "starts_from"), "stands outside the input", "Remove it.")


def _check_references(fields: FieldList, lists: tuple[FieldList, ...], reading: Reading) -> None:
    for place, draft in fields.placed:
        if draft.field is not None and draft.type_name == "span":
            marked = draft.field.refers_to
            refuse_unknown_text(marked, (*place, "of"), lists, "text of this task", reading)


def _claimed_of(inputs: FieldList, outputs: FieldList, reading: Reading) -> Field | None:
    shared = [
        (place, draft)
        for place, draft in outputs.placed
        if draft.name is not INVALID and draft.name in inputs.names
    ]
    if any(reading.knows_of(place) for place, _ in shared[1:]):
        return None
    if len(shared) != 1:
        if inputs.is_named and outputs.is_named:
            reason = f"shares {len(shared)} fields with the input"
            reading.refuse(outputs.place, reason, "Name the one claimed field in both lists.")
        return None
    [(place, answered)] = shared
    my_place, mine = next((place, draft) for place, draft in inputs.placed if draft.name == answered.name)
    if INVALID in (mine.type_name, answered.type_name):
        return None
    is_wrong = answered.field is None or reading.knows_of(place) or reading.knows_of(my_place)
    if is_wrong and answered.type_name == mine.type_name:
        return None
    before = len(reading.problems)
    _check_answered(answered, mine, place, reading)
    return mine.field if len(reading.problems) == before else None


def _check_answered(answered: FieldDraft, mine: FieldDraft, place: Place, reading: Reading) -> None:
    if not _can_be_claimed(mine) or answered.type_name != mine.type_name:
        claimable = [name for name in FIELD_TYPES.names if FIELD_TYPES[name].can_be_claimed]
        reading.refuse(
            (*place, "type"),
            f"is {answered.type_name} where the input's {mine.name} is {mine.type_name}",
            f"Give both the same type: {', '.join(claimable[:-1])} or {claimable[-1]}.",
        )
    elif mine.field is not None and answered.field is not None:
        if set(mine.field.labels) != set(answered.field.labels):
            reading.refuse((*place, "labels"), "differ from the input's", "Give both the same labels.")
        elif mine.field.refers_to != answered.field.refers_to:
            reading.refuse((*place, "of"), "differs from the input's", "Mark the same field.")


def _can_be_claimed(draft: FieldDraft) -> bool:
    return isinstance(draft.type_name, str) and FIELD_TYPES[draft.type_name].can_be_claimed


def _check_outputs(outputs: FieldList, claimed: Field, reading: Reading) -> None:
    for place, draft in outputs.placed:
        if draft.name in (claimed.name, INVALID) or draft.type_name is INVALID:
            continue
        if draft.type_name != "probabilities":
            remedy = "Beside the claimed field, outputs are probabilities."
            reading.refuse(place, "does not stand in the input", remedy)
        elif draft.field is not None and (draft.field.refers_to != claimed.name or not claimed.labels):
            name = str(draft.field.refers_to)
            reading.refuse_reference(name, (*place, "of"), (claimed.name,), "output with labels")
