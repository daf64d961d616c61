"""Worked examples, which show new annotators a good try."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from dynabench_tasks.configuration.example_values import check_example
from dynabench_tasks.configuration.field_lists import FieldLists
from dynabench_tasks.configuration.nested_shapes import Key, Keys, ListOf, MapOf
from dynabench_tasks.configuration.problems import INVALID, Place, Reading
from dynabench_tasks.configuration.shapes import Text
from dynabench_tasks.fields import Field, texts_of
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
    """Return the examples, checked like a person's own; inputs are checked once the claim is read."""
    made = []
    for position, example in enumerate(given):
        if example is INVALID:
            continue
        here = (*place, position)
        start = check_example(fields.context, example["context"], {}, (*here, "context"), reading)
        if claimed is not None:
            other_texts = texts_of(fields.context.whole, start)
            written = check_example(fields.inputs, example["input"], other_texts, (*here, "input"), reading)
            made.append(WorkedExample(start, written, example["why"]))
    return tuple(made)
