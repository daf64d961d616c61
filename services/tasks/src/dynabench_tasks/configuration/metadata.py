"""Metadata questions to people beyond the example itself, and their conditions."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from dynabench_tasks.configuration.field_lists import (
    MOST_FIELDS,
    FieldList,
    FieldLists,
    FieldShape,
    refuse_unknown_text,
)
from dynabench_tasks.configuration.nested_shapes import Key, Keys, ListOf, Texts
from dynabench_tasks.configuration.problems import INVALID, Place, Reading
from dynabench_tasks.configuration.shapes import Flag, Text, Whole, Word
from dynabench_tasks.fields import FIELD_TYPES, Field, InputRefused
from dynabench_tasks.fields import Texts as FieldTexts
from dynabench_tasks.values import Value

VERDICTS = ("fooled", "not_fooled", "undecided")
FLAG = "flag"
HIGHEST_ROUND = 10_000
ASKED = tuple(name for name in FIELD_TYPES.names if FIELD_TYPES[name].can_be_asked)


def _list_of(kinds: Mapping[str, Key]) -> Key:
    """Return the key of a list of fields that are asked for on these kinds of conditions."""
    when = Keys({**kinds, "from_round": Key(Whole(1, HIGHEST_ROUND), 1)}, "metadata condition")
    return Key(
        ListOf(
            FieldShape(ASKED, extra_keys={"optional": Key(Flag(), False), "when": Key(when, {})}),
            0,
            MOST_FIELDS,
        ),
        [],
    )


_WORDS = Key(Texts(Text(60), 1, 100), None)
_VERDICTS = Key(Texts(Word(VERDICTS, "verdict"), 1, 100), None)
METADATA = Keys(
    {
        "create": _list_of({"verdict": _VERDICTS, "claimed": _WORDS}),
        "validate": _list_of({"vote": _WORDS}),
    }
)


@dataclass(frozen=True)
class Circumstances:
    """The facts that decide on asking for a metadata field: words by kind of condition, and the round's number."""

    words: Mapping[str, frozenset[str]]
    round_number: int


@dataclass(frozen=True)
class MetadataField:
    """A field with the conditions under which it is asked for, which must all hold.

    `words` maps a kind of condition (`verdict` and `claimed`, or `vote`) to the words that fulfil it.
    """

    field: Field
    is_optional: bool
    words: Mapping[str, tuple[str, ...]]
    from_round: int

    def is_asked(self, circumstances: Circumstances) -> bool:
        """Return whether the field is asked for."""
        return circumstances.round_number >= self.from_round and all(
            circumstances.words.get(kind, frozenset()) & set(words) for kind, words in self.words.items()
        )

    def document(self) -> Mapping[str, object]:
        """Return the field as its configuration says it."""
        when: dict[str, object] = {kind: list(words) for kind, words in self.words.items()}
        if self.from_round > 1:
            when["from_round"] = self.from_round
        return {
            **self.field.document(),
            "optional": self.is_optional,
            **({"when": when} if when else {}),
        }


def make_metadata(
    fields: FieldList, known: Mapping[str, Sequence[str]], task: FieldLists, reading: Reading
) -> tuple[MetadataField, ...]:
    """Return the fields of a list.

    `known` maps each kind of condition that is known to its words; a kind without words does not fit the task.
    """
    reading.refuse_twice(fields.names, fields.place)
    made = []
    for place, draft in fields.placed:
        if isinstance(draft.type_name, str) and draft.type_name not in ASKED:
            remedy = f"Use one of: {', '.join(ASKED)}."
            reading.refuse((*place, "type"), f"is {draft.type_name}", remedy)
        when = draft.extra_keys.get("when", INVALID)
        words = {} if when is INVALID else _words_of(when, (*place, "when"), known, reading)
        if draft.field is not None and when is not INVALID:
            texts = task.context, task.inputs
            refuse_unknown_text(draft.field.refers_to, (*place, "of"), texts, "text of this task", reading)
            optional = draft.extra_keys["optional"] is True
            made.append(MetadataField(draft.field, optional, words, when["from_round"]))
    return tuple(made)


def _words_of(
    when: Mapping[str, Any], place: Place, known: Mapping[str, Sequence[str]], reading: Reading
) -> dict[str, tuple[str, ...]]:
    found = {}
    for kind in ("claimed", "vote"):
        words = when.get(kind)
        if words is None or words is INVALID or kind not in known:
            continue
        if not known[kind]:
            reading.refuse((*place, kind), "speaks of labels where the claim has none", "Remove it.")
        for position, word in enumerate(words):
            if known[kind] and word not in known[kind]:
                reading.refuse_kind(word, (*place, kind, position), known[kind], "word")
    for kind, words in when.items():
        if kind != "from_round" and words is not None and words is not INVALID:
            found[kind] = words
    return found


def check_metadata(
    fields: tuple[MetadataField, ...],
    given: Mapping[str, object],
    circumstances: Circumstances,
    other_texts: FieldTexts,
) -> dict[str, Value]:
    """Return the given values, checked, in the order of the configuration.

    A field may be missing while its conditions are undecided, for example before the verdict of a try.
    Raises InputRefused for a field that is not asked for, is missing or can't be used.
    """
    asked = [each for each in fields if each.is_asked(circumstances)]
    names = {each.field.name for each in asked}
    for name in given:
        if name not in names:
            known = any(each.field.name == name for each in fields)
            reason = "is not asked for here" if known else "is no metadata field of this task"
            raise InputRefused(f"metadata.{name}", reason, "Leave it out.")
    found = {}
    for each in asked:
        name = each.field.name
        if given.get(name) is not None:
            found[name] = each.field.check(given[name], other_texts, f"metadata.{name}")
        elif not each.is_optional:
            raise InputRefused(f"metadata.{name}", "is missing", f"Answer “{each.field.label}”.")
    return found
