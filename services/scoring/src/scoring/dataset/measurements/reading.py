"""Rows as measurements read them: many at a time, with their texts and words, found once for all of them."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from itertools import chain
from typing import NamedTuple, TypeAlias

import numpy as np
from dynabench_tasks.fields import FIELD_TYPES
from dynabench_tasks.fields.labels import LabelledField
from dynabench_tasks.values import Value
from numpy.typing import NDArray

from scoring.dataset.measurements.words import words_of
from scoring.dataset.rows import ExampleRow, Field, Fields, MeasuredRow

BATCH_ROWS = 500
"""Few, so that Python's garbage collector has little to look through while they live."""
BATCH_CHARACTERS = 4_000_000
KEPT_CONTEXTS = 1_000

Numbers: TypeAlias = NDArray[np.int64]
Row: TypeAlias = ExampleRow | MeasuredRow


class Reading(NamedTuple):
    """A row with the words of its text fields by name.

    `labels` are those that the row stands under: its gold, or the claim where there is none; none if answers are no
    labels of a list, such as spans.
    """

    row: Row
    context: Mapping[str, Sequence[str]]
    input: Mapping[str, Sequence[str]]
    labels: tuple[str, ...]

    @property
    def context_words(self) -> Iterable[str]:
        """Return all words of the context."""
        return chain.from_iterable(self.context.values())

    @property
    def input_words(self) -> list[str]:
        """Return all words that the author wrote."""
        return list(chain.from_iterable(self.input.values()))


class Batch:
    """Some rows, the first of which has the number `first`; what a measurement asks for is found when it asks."""

    def __init__(self, reader: "Reader", first: int, rows: Sequence[Row]) -> None:
        self._reader = reader
        self.first = first
        self.rows = rows

    def __len__(self) -> int:
        return len(self.rows)

    def reading(self, position: int) -> Reading:
        """Return the reading of one row."""
        return self._reader.reading(self.rows[position])

    @cached_property
    def readings(self) -> list[Reading]:
        """Return the readings of all rows."""
        return [self._reader.reading(row) for row in self.rows]

    @cached_property
    def _distinct(self) -> list[Mapping[str, None]]:
        return [dict.fromkeys(reading.input_words) for reading in self.readings]

    @cached_property
    def tokens(self) -> list[str]:
        """Return the words that authors wrote, one row after the other, each once a row, in their order."""
        return list(chain.from_iterable(self._distinct))

    @cached_property
    def token_rows(self) -> Numbers:
        """Return the position of each token's row."""
        return np.repeat(np.arange(len(self)), np.fromiter(map(len, self._distinct), np.int64, len(self)))

    @cached_property
    def token_keys(self) -> Numbers:
        """Return a number for each token, which identifies its word as long as the process lives."""
        return keys_of(self.tokens)

    @cached_property
    def labels(self) -> dict[str, NDArray[np.bool_]]:
        """Return which rows stand under each label that occurs."""
        found: dict[str, NDArray[np.bool_]] = {}
        for position, reading in enumerate(self.readings):
            for label in reading.labels:
                if label not in found:
                    found[label] = np.zeros(len(self), dtype=bool)
                found[label][position] = True
        return found

    @cached_property
    def is_labelled(self) -> NDArray[np.bool_]:
        """Return which rows stand under any label."""
        return np.fromiter((bool(reading.labels) for reading in self.readings), bool, len(self))

    @cached_property
    def has_author(self) -> NDArray[np.bool_]:
        """Return which rows' authors are known."""
        return np.fromiter((row.author is not None for row in self.rows), bool, len(self))

    @cached_property
    def author_keys(self) -> Numbers:
        """Return a number for each row's author, as `token_keys`; of any value where nobody is known."""
        return keys_of([row.author or "" for row in self.rows])


class Reader:
    """Reads the rows of tasks with these fields."""

    def __init__(self, fields: Fields, batch_rows: int = BATCH_ROWS) -> None:
        self._batch_rows = batch_rows
        self._context = _texts(fields.context)
        self._input = _texts(fields.input)
        self._has_labels = issubclass(FIELD_TYPES[fields.label.type_name], LabelledField)
        self._context_words: Callable[[str], list[str]] = lru_cache(KEPT_CONTEXTS)(words_of)

    def read(self, rows: Iterable[Row]) -> Iterator[Batch]:
        """Yield the rows in batches of few enough rows and characters."""
        first, characters = 0, 0
        held: list[Row] = []
        for row in rows:
            held.append(row)
            characters += sum(map(len, row.context.values())) + sum(map(len, row.input.values()))
            if len(held) == self._batch_rows or characters >= BATCH_CHARACTERS:
                yield Batch(self, first, held)
                first, characters, held = first + len(held), 0, []
        if held:
            yield Batch(self, first, held)

    def reading(self, row: Row) -> Reading:
        """Return a row with its words."""
        return Reading(
            row,
            _words(row.context, self._context, self._context_words),
            _words(row.input, self._input, words_of),
            labels_of(row.label) if self._has_labels else (),
        )


def keys_of(texts: Sequence[str]) -> Numbers:
    """Return a number of 64 bits for each text, the same one in this process only.

    Of ten million different texts any two share theirs in one case of 370,000.
    """
    return np.fromiter(map(hash, texts), np.int64, len(texts))


def labels_of(value: Value | None) -> tuple[str, ...]:
    """Return the labels that a value of a label field names."""
    if value is None:
        return ()
    return (value,) if isinstance(value, str) else tuple(value)


def input_text(reading: Reading) -> str:
    """Return what the author wrote, one field a line."""
    return "\n".join(str(reading.row.input[name]) for name in reading.input)


def is_free_text(field: Field) -> bool:
    """Return whether a field holds what people wrote, as its own value text."""
    kind = FIELD_TYPES[field.type_name]
    return kind.is_text and kind.holds_free_text


def _texts(fields: Iterable[Field]) -> tuple[str, ...]:
    return tuple(field.name for field in fields if is_free_text(field))


def _words(
    values: Mapping[str, Value], names: Iterable[str], split: Callable[[str], list[str]]
) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for name in names:
        text = values.get(name)
        if isinstance(text, str) and not text.isspace() and text:
            found[name] = split(text)
    return found
