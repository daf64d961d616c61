"""Practice items, which new annotators answer before they write: each with a model's answer and its explanation."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from dynabench_tasks.configuration.example_values import check_example
from dynabench_tasks.configuration.field_lists import FieldLists
from dynabench_tasks.configuration.nested_shapes import AnyValue, Key, Keys, ListOf, MapOf
from dynabench_tasks.configuration.problems import INVALID, Place, Reading
from dynabench_tasks.configuration.shapes import Text
from dynabench_tasks.fields import Field, InputRefused, texts_of
from dynabench_tasks.values import Value

MOST_ITEMS = 5
PRACTICE = ListOf(
    Keys(
        {
            "context": Key(MapOf(), {}, "What the writer started from"),
            "input": Key(MapOf(), description="What the writer wrote, without the claim"),
            "answer": Key(AnyValue(), description="What people answer: a value of the claimed field"),
            "model_said": Key(AnyValue(), description="What a model answered: a value of the same field"),
            "because": Key(Text(1_000), description="Why people answer so and what led the model"),
        }
    ),
    0,
    MOST_ITEMS,
)


@dataclass(frozen=True)
class PracticeItem:
    """A text that somebody wrote, what people answer, what a model answered, and why, in plain words.

    `input` is without the claimed field, whose values are `answer` and `model_said`.
    """

    context: Mapping[str, Value]
    input: Mapping[str, Value]
    answer: Value
    model_said: Value
    because: str

    def document(self) -> Mapping[str, object]:
        """Return the item as its configuration says it."""
        return {
            "context": dict(self.context),
            "input": dict(self.input),
            "answer": self.answer,
            "model_said": self.model_said,
            "because": self.because,
        }


def make_practice(
    given: Sequence[Any], place: Place, fields: FieldLists, claimed: Field | None, reading: Reading
) -> tuple[PracticeItem, ...]:
    """Return the items; values of the claimed field are checked once the claim is read.

    `reading` receives each value that a person, or a target, could not have given.
    """
    made = []
    for position, item in enumerate(given):
        if item is INVALID:
            continue
        here = (*place, position)
        start = check_example(fields.context, item["context"], {}, (*here, "context"), reading)
        if claimed is None:
            continue
        drafts = tuple(draft for draft in fields.inputs.drafts if draft.name != claimed.name)
        written_fields = replace(fields.inputs, drafts=drafts)
        other_texts = texts_of(fields.context.whole, start)
        written = check_example(written_fields, item["input"], other_texts, (*here, "input"), reading)
        texts = {**other_texts, **texts_of(written_fields.whole, written)}
        if claimed.refers_to not in (None, *texts):
            continue  # The marked text is unusable; that is already reported.
        answer = _checked(claimed.check, item["answer"], texts, (*here, "answer"), reading)
        model_answer = _checked(
            claimed.check_answer, item["model_said"], texts, (*here, "model_said"), reading
        )
        if INVALID not in (answer, model_answer):
            made.append(PracticeItem(start, written, answer, model_answer, item["because"]))
    return tuple(made)


def _checked(check: Any, value: Any, texts: Mapping[str, str], place: Place, reading: Reading) -> Any:
    """Return the value in its one form, INVALID where it can't be used."""
    if value is INVALID:
        return INVALID
    try:
        return check(value, texts, "")
    except InputRefused as err:
        return reading.refuse(place, err.reason, err.remedy, err.field)
