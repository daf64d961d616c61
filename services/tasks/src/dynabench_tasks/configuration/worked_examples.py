"""Examples that show newcomers what a good try looks like."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any

from dynabench_tasks.configuration.field_lists import FieldList, FieldLists
from dynabench_tasks.configuration.nested_shapes import Key, Keys, ListOf, MapOf
from dynabench_tasks.configuration.problems import UNREAD, Place, Reading, nearest
from dynabench_tasks.configuration.shapes import Text
from dynabench_tasks.fields import Field, InputRefused, Texts, check_values, texts_of
from dynabench_tasks.values import Value

MOST_EXAMPLES = 10
WORKED_EXAMPLES = ListOf(
    Keys({"context": Key(MapOf()), "input": Key(MapOf()), "why": Key(Text(1_000))}), 0, MOST_EXAMPLES
)


@dataclass(frozen=True)
class WorkedExample:
    """A context, an input with its claim, and why it is a good one."""

    context: Mapping[str, Value]
    input: Mapping[str, Value]
    why: str

    def document(self) -> Mapping[str, object]:
        """Return the example as its configuration says it."""
        return {"context": dict(self.context), "input": dict(self.input), "why": self.why}


def make_worked_examples(
    given: Sequence[Any], place: Place, fields: FieldLists, claimed: Field | None, reading: Reading
) -> tuple[WorkedExample, ...]:
    """Return the examples, checked like a person's own; what they write waits until the claim is settled."""
    made = []
    for position, example in enumerate(given):
        if example is UNREAD:
            continue
        here = (*place, position)
        start = _check(fields.context, example["context"], {}, (*here, "context"), reading)
        if claimed is not None:
            beside = texts_of(fields.context.whole, start)
            written = _check(fields.inputs, example["input"], beside, (*here, "input"), reading)
            made.append(WorkedExample(start, written, example["why"]))
    return tuple(made)


def _check(fields: FieldList, values: Any, beside: Texts, place: Place, reading: Reading) -> dict[str, Value]:
    """Return the values that can be taken, in the order of the fields; every other is a problem."""
    if values is UNREAD:
        return {}
    if fields.is_whole:
        try:
            return check_values(fields.whole, values, "", beside)
        except InputRefused:
            pass
    return _check_each(fields, values, beside, place, reading)


def _check_each(
    fields: FieldList, values: Mapping[str, object], beside: Texts, place: Place, reading: Reading
) -> dict[str, Value]:
    known = [field.name for field in fields.whole]
    meant = set()
    for name in values:
        if fields.is_whole and name not in known:
            near = get_close_matches(name, [each for each in known if each not in values], n=1, cutoff=0.6)
            meant.update(near)
            remedy = nearest(name, near) if near else f"Give only: {', '.join(known)}."
            reading.refuse((*place, name), "is not a field of this task", remedy)
    texts = dict(beside)
    found: dict[str, Value] = {}
    for field in sorted(fields.whole, key=lambda field: field.refers_to is not None):
        own = {field.name: values[field.name]} if field.name in values else {}
        try:
            found |= check_values((field,), own, "", texts)
        except InputRefused as err:
            if field.name not in meant and field.refers_to in (None, *texts):
                inner = err.field.removeprefix(f".{field.name}")
                reading.refuse((*place, field.name), err.reason, err.remedy, inner)
        texts |= texts_of((field,), found)
    return {name: found[name] for name in known if name in found}
