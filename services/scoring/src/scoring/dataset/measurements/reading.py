"""A row as measurements read it: its texts and their words, found once for all of them."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from dynabench_tasks.fields import FIELD_TYPES
from dynabench_tasks.fields.labels import LabelledField
from dynabench_tasks.values import Value

from scoring.dataset.measurements.words import words_of
from scoring.dataset.rows import ExampleRow, Field, Fields


@dataclass(frozen=True, slots=True)
class Reading:
    """A row with the words of its text fields by name.

    `labels` are those that the row stands under: its gold, or the claim where there is none; none if answers are no
    labels of a list, such as spans.
    """

    row: ExampleRow
    context: Mapping[str, Sequence[str]]
    input: Mapping[str, Sequence[str]]
    labels: tuple[str, ...]

    @property
    def context_words(self) -> list[str]:
        """Return all words of the context."""
        return [word for words in self.context.values() for word in words]

    @property
    def input_words(self) -> list[str]:
        """Return all words that the author wrote."""
        return [word for words in self.input.values() for word in words]


class Reader:
    """Reads the rows of tasks with these fields."""

    def __init__(self, fields: Fields) -> None:
        self._context = _texts(fields.context)
        self._input = _texts(fields.input)
        self._has_labels = issubclass(FIELD_TYPES[fields.label.type_name], LabelledField)

    def read(self, rows: Iterable[ExampleRow]) -> Iterator[Reading]:
        """Yield the readings of rows."""
        for row in rows:
            yield Reading(
                row,
                _words(row.context, self._context),
                _words(row.input, self._input),
                labels_of(row.label) if self._has_labels else (),
            )


def labels_of(value: Value | None) -> tuple[str, ...]:
    """Return the labels that a value of a label field names."""
    if value is None:
        return ()
    return (value,) if isinstance(value, str) else tuple(value)


def input_text(reading: Reading) -> str:
    """Return what the author wrote, one field a line."""
    return "\n".join(str(reading.row.input[name]) for name in reading.input)


def is_free_text(field: Field) -> bool:
    """Tell whether a field holds what people wrote, as its own value text."""
    kind = FIELD_TYPES[field.type_name]
    return kind.is_text and kind.holds_free_text


def _texts(fields: Iterable[Field]) -> tuple[str, ...]:
    return tuple(field.name for field in fields if is_free_text(field))


def _words(values: Mapping[str, Value], names: Iterable[str]) -> dict[str, list[str]]:
    return {
        name: words_of(text) for name in names if isinstance(text := values.get(name), str) and text.strip()
    }
