"""Lists of fields, read as far as possible: an unusable field does not keep others from being checked."""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from typing import Any

from dynabench_tasks.configuration.nested_shapes import Key, Keys, is_mapping
from dynabench_tasks.configuration.problems import INVALID, Invalid, Place, Reading
from dynabench_tasks.configuration.shapes import Schema, Shape, Text, Word
from dynabench_tasks.fields import FIELD_TYPES, Field
from dynabench_tasks.fields.labels import LabelledField

MOST_FIELDS = 20
NAME = Text(
    40,
    pattern=re.compile("[a-z_][a-z0-9_]*"),
    remedy="Use lower-case letters, digits and underscores, starting with a letter.",
)
LABEL = Key(Text(200, may_be_blank=True), None)
GENERAL = ("name", "type", "label")


@dataclass(frozen=True)
class FieldDraft:
    """An entry of a list: the field, None if it can't be used, and its name and type if they are known.

    `extra_keys` has the keys that do not belong to the field itself.
    """

    name: str | Invalid
    type_name: str | Invalid
    field: Field | None
    extra_keys: Mapping[str, Any]


UNREADABLE = FieldDraft(INVALID, INVALID, None, {})


class FieldShape(Shape):
    """A field of any registered type; its class declares its own keys.

    `types` are those that the schema allows. `more` returns further keys of a type. `extra_keys` has keys that do not
    belong to the field itself.
    """

    wanted = "a mapping of names to values"

    def __init__(
        self,
        types: tuple[str, ...],
        more: Callable[[str], Mapping[str, Key]] = lambda _: {},
        extra_keys: Mapping[str, Key] | None = None,
    ) -> None:
        self._types = types
        self._extra_keys = extra_keys or {}
        self._own = {name: {**FIELD_TYPES[name].keys, **more(name)} for name in FIELD_TYPES.names}
        self._keys = {name: self._keys_of(name) for name in FIELD_TYPES.names}
        self._known = frozenset(chain(GENERAL, *(keys.keys for keys in self._keys.values())))

    def _keys_of(self, type_name: str) -> Keys:
        general = {
            "name": Key(NAME),
            "type": Key(Word((type_name,), "field type")),
            "label": LABEL,
        }
        return Keys({**general, **self._own[type_name], **self._extra_keys})

    def read(self, value: object, place: Place, reading: Reading) -> FieldDraft:
        """Return the field as far as it can be read."""
        if not isinstance(value, dict):
            reading.wrong_type(value, place, self.wanted)
            return UNREADABLE
        type_name = value.get("type")
        if not isinstance(type_name, str) or type_name not in self._keys:
            return self._read_untyped(value, place, reading)
        given = self._keys[type_name].read(value, place, reading)
        if given is INVALID:
            return UNREADABLE
        own = {key.attribute or name: given[name] for name, key in self._own[type_name].items()}
        extra_keys = {name: given[name] for name in self._extra_keys}
        name, label = given["name"], given["label"]
        made = None
        if INVALID not in (name, label, *own.values()):
            made = FIELD_TYPES[type_name](name, name if label is None else label, **own)
            _refuse_unknown_meanings(made, place, reading)
        return FieldDraft(name, type_name, made, extra_keys)

    def _read_untyped(self, value: Mapping[str, Any], place: Place, reading: Reading) -> FieldDraft:
        """Read what does not depend on the type."""
        if not is_mapping(value):
            reading.wrong_type(value, place, self.wanted)
            return UNREADABLE
        general = {"name": Key(NAME), "type": Key(Word(FIELD_TYPES.names, "field type")), "label": LABEL}
        keys = Keys(general)
        kept = {key: each for key, each in value.items() if key in keys.keys or key not in self._known}
        return FieldDraft(keys.read(kept, place, reading)["name"], INVALID, None, {})

    def schema(self) -> Schema:
        """Return the JSON Schema."""
        return {"oneOf": [self._keys[name].schema() for name in self._types]}


@dataclass(frozen=True)
class FieldList:
    """The entries of a list; `is_there` unless there is no such list."""

    place: Place
    drafts: tuple[FieldDraft, ...]
    is_there: bool = True

    @classmethod
    def of(cls, place: Place, given: Any) -> "FieldList":
        """Return the list that was read."""
        return cls(place, () if given is INVALID else tuple(given), given is not INVALID)

    @property
    def placed(self) -> Iterator[tuple[Place, FieldDraft]]:
        """Return each entry with its place."""
        return (((*self.place, position), draft) for position, draft in enumerate(self.drafts))

    @cached_property
    def names(self) -> list[str | Invalid]:
        """Return the names, as far as they are known."""
        return [draft.name for draft in self.drafts]

    @property
    def is_named(self) -> bool:
        """Return whether all names and types are known."""
        return self.is_there and all(INVALID not in (draft.name, draft.type_name) for draft in self.drafts)

    @property
    def is_whole(self) -> bool:
        """Return whether every field can be used."""
        return self.is_there and all(draft.field is not None for draft in self.drafts)

    @cached_property
    def whole(self) -> tuple[Field, ...]:
        """Return the fields that can be used."""
        return tuple(draft.field for draft in self.drafts if draft.field is not None)

    @cached_property
    def texts(self) -> list[str]:
        """Return the names of the string fields."""
        return [str(draft.name) for draft in self.drafts if draft.type_name == "string"]


@dataclass(frozen=True)
class FieldLists:
    """The three lists of a task's fields."""

    context: FieldList
    inputs: FieldList
    outputs: FieldList


def _refuse_unknown_meanings(field: Field, place: Place, reading: Reading) -> None:
    if isinstance(field, LabelledField):
        for label in (each.label for each in field.meanings if each.label not in field.labels):
            reading.refuse_reference(label, (*place, "meanings", label), field.labels, "label of this field")


def refuse_unknown_text(
    name: str | None, place: Place, lists: tuple[FieldList, ...], what: str, reading: Reading
) -> None:
    """Tell `reading` if a field refers to no text of the lists, once all their names are known."""
    texts = [text for each in lists for text in each.texts]
    if name is not None and name not in texts and all(each.is_named for each in lists):
        reading.refuse_reference(name, place, texts, what)
