"""The types of field that a task can have. Each module here registers one; adding a type is adding a module.

A field declares its own keys of a configuration, writes itself back, and checks a person's value. If its value can be
claimed, it also finds that value in a target's answer. Forms of values: `dynabench_tasks.values`.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from pkgutil import extend_path
from typing import Any, ClassVar, Self

from dynabench_tasks.configuration.nested_shapes import Key
from dynabench_tasks.registry import Registry, import_modules_of
from dynabench_tasks.text_f1 import Likeness
from dynabench_tasks.values import Value

Texts = Mapping[str, str]


@dataclass(eq=False)
class InputRefused(Exception):
    """A value from a person is refused: `field` names it, as in `input.text`."""

    field: str
    reason: str
    remedy: str

    def __str__(self) -> str:
        return f"{self.field} {self.reason}."


class AnswerUnreadable(Exception):
    """A target's answer can't be the value of the field; the message completes "answered ..."."""


@dataclass(frozen=True)
class Field:
    """One named field of a context, an input, an output or metadata.

    `labels` are those that the value is made of; most types have none. `texts` in the methods maps the names of the
    other string fields to their texts. `keys` are the configuration keys that only this type has; each fills the
    attribute of its name.
    """

    type_name: ClassVar[str]
    can_be_claimed: ClassVar[bool] = False
    can_start: ClassVar[bool] = False
    """True if the context can have such a field."""
    can_be_asked: ClassVar[bool] = True
    """True if it can be a metadata field of an example."""
    answered_by: ClassVar[tuple[str, ...]] = ()
    """The task types of models whose predictions `read_answer` understands."""
    is_text: ClassVar[bool] = False
    """True if a value is its own value text; the value text of other types is JSON."""
    is_voted_blind: ClassVar[bool] = True
    """True if people who have not seen the claim can be expected to give the same value."""
    agrees_if_equal: ClassVar[bool] = True
    """True if only equal values agree, so that they can be counted as options."""
    holds_free_text: ClassVar[bool] = False
    """True if a value may contain any text."""
    keys: ClassVar[Mapping[str, Key]] = {}

    name: str
    label: str

    @property
    def labels(self) -> tuple[str, ...]:
        """Return the labels that the value is made of."""
        return ()

    @property
    def inspected_parts(self) -> tuple[str, ...]:
        """Return the parts of a target's answer that can be explained: its labels, unless the type overrides it."""
        return self.labels

    @property
    def default(self) -> Value | None:
        """Return the value of a field that was left out; None if it must be filled in."""
        return None

    @property
    def refers_to(self) -> str | None:
        """Return the name of the field that this one refers to."""
        return None

    def check(self, value: object, texts: Texts, path: str) -> Value:
        """Return `value` in its one form if it can be taken. Raises InputRefused."""
        raise NotImplementedError

    def check_answer(self, value: object, texts: Texts, path: str) -> Value:
        """Return a stated answer of a target, in its one form. Raises InputRefused."""
        return self.check(value, texts, path)

    def read_answer(self, prediction: Mapping[str, Any], texts: Texts) -> Value:
        """Return the value that a target's prediction gives this field. Raises AnswerUnreadable."""
        raise AnswerUnreadable(f"where no target can answer: {self.name} is a field of type {self.type_name}")

    def agreeing(self, values: Sequence[str]) -> list[tuple[str, ...]]:
        """Return the sets of value texts that agree with one another, equal ones as often as they came."""
        groups: dict[str, list[str]] = {}
        for value in values:
            groups.setdefault(value, []).append(value)
        return [tuple(group) for group in groups.values()]

    def agrees_with_any(self, value: str, others: Iterable[str]) -> bool:
        """Return whether a value text agrees with at least one of the others."""
        return value in others

    def compared_by(self, likeness: Likeness) -> Self:
        """Return the field with this comparison of votes, for values that agree if they are alike."""
        return self

    def labels_in(self, value: str) -> tuple[str, ...]:
        """Return the labels that a value text names; none for values that are not made of labels."""
        return ()

    def value_schema(self) -> dict[str, object]:
        """Return the JSON Schema of the input of `check`, as far as a schema can express it."""
        return {}

    def answer_schema(self) -> dict[str, object]:
        """Return the JSON Schema of the input of `check_answer`."""
        return self.value_schema()

    def document(self) -> Mapping[str, object]:
        """Return the field as its configuration says it, defaults filled in."""
        own = {"name": self.name, "type": self.type_name, "label": self.label}
        return {**own, **self.settings()}

    def settings(self) -> Mapping[str, object]:
        """Return the keys of the configuration that only this type has."""
        return {}


FIELD_TYPES: Registry[type[Field]] = Registry()


def from_text(text: str, type_name: str) -> Value:
    """Return the value that `text` stands for in a field of that type.

    Raises ValueError for a text that `to_text` did not make of such a value, KeyError for an unknown type.
    """
    if FIELD_TYPES[type_name].is_text:
        return text
    value = json.loads(text)
    if not isinstance(value, dict | list):
        raise ValueError(f"{text[:50]!r} stands for no {type_name}")
    return value


def values_of(types: Mapping[str, str], texts: Mapping[str, str]) -> dict[str, Value]:
    """Return value texts as values, in the order of `types`, which gives the type of each field by its name.

    A name without a type stands for a text. Raises ValueError for a text that stands for no value of its type.
    """
    names = [*(name for name in types if name in texts), *sorted(texts.keys() - types.keys())]
    return {name: from_text(texts[name], types.get(name, "string")) for name in names}


def nearest_name(name: str, known: Sequence[str]) -> str:
    """Return the remedy for a name that is none of the known ones."""
    close = get_close_matches(name, known, n=1)
    return f"Did you mean {close[0]!r}? Else leave it out." if close else "Leave it out."


def check_values(
    fields: tuple[Field, ...], values: Mapping[str, object], path: str, other_texts: Texts | None = None
) -> dict[str, Value]:
    """Return the values of all `fields`, in their order, each checked.

    `other_texts` has the texts of other fields to which these may refer. Raises InputRefused for the first field that
    is missing, unusable or not asked for.
    """
    names = [field.name for field in fields]
    for name in values:
        if name not in names:
            remedy = f"Send only: {', '.join(names)}." if names else "Send none."
            raise InputRefused(f"{path}.{name}", "is not a field of this task", remedy)
    texts = dict(other_texts or {})
    checked: dict[str, Value] = {}
    for field in sorted(fields, key=lambda field: field.refers_to is not None):
        value = _check_value(field, values.get(field.name), texts, f"{path}.{field.name}")
        checked[field.name] = value
        if field.type_name == "string" and isinstance(value, str):
            texts[field.name] = value
    return {name: checked[name] for name in names}


def _check_value(field: Field, value: object, texts: Texts, path: str) -> Value:
    if value is not None:
        return field.check(value, texts, path)
    if field.default is None:
        raise InputRefused(path, "is missing", "Fill in this field.")
    return field.default


def texts_of(fields: tuple[Field, ...], values: Mapping[str, Value]) -> dict[str, str]:
    """Return what stands in the string fields; an optional one that was left out is empty."""
    found = {
        field.name: values.get(field.name, field.default) for field in fields if field.type_name == "string"
    }
    return {name: str(text) for name, text in found.items() if text is not None}


__path__ = extend_path(__path__, __name__)
import_modules_of(__name__, __path__)
