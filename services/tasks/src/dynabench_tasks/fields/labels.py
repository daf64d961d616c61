"""Shared parts of label fields; registers nothing itself."""

import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Self

from dynabench_tasks.configuration.nested_shapes import Key, Keys, MapOf, Texts
from dynabench_tasks.configuration.problems import INVALID, Place, Reading
from dynabench_tasks.configuration.shapes import Text
from dynabench_tasks.fields import Field, InputRefused

MOST_LABELS = 100
RESERVED_VOTES = frozenset({"flag", "unsure"})
HIDDEN = re.compile("[\u00ad\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff]")
"""Characters that nobody sees. Joiners are not among them: some scripts and emoji need these."""
LONGEST_LABEL = 60


@dataclass(frozen=True)
class Labels(Texts):
    """Names of labels that people can distinguish from each other and from votes that are no label."""

    def read(self, value: object, place: Place, reading: Reading) -> Any:
        """Return the labels."""
        if isinstance(value, list) and len(value) == 1 < self.low:
            return reading.refuse(place, "has one entry", "Give at least two labels.")
        labels = super().read(value, place, reading)
        if labels is not INVALID and not reading.is_lenient:
            _refuse_names(labels, place, reading)
        return labels


def _refuse_names(labels: Sequence[object], place: Place, reading: Reading) -> None:
    """Add the problem of each label that is a vote of its own, or has invisible characters.

    Published configurations may hold such labels, and are read on.
    """
    for position, label in enumerate(map(str, labels)):
        here = (*place, position)
        if label.strip().casefold() in RESERVED_VOTES:
            reading.refuse(here, f"is {label!r}, which is a vote of its own", "Give the label another name.")
        elif label != unicodedata.normalize("NFC", label) or label != label.strip() or HIDDEN.search(label):
            reading.refuse(
                here,
                f"is {label!a}, with blanks around it or characters that nobody sees",
                f"Write {HIDDEN.sub('', unicodedata.normalize('NFC', label)).strip()!r}.",
            )


@dataclass(frozen=True)
class Meaning:
    """A label's meaning in plain words, with an example if one helps."""

    label: str
    words: str
    example: str = ""

    def document(self) -> Mapping[str, str]:
        """Return the label's configuration."""
        return {"words": self.words, **({"example": self.example} if self.example else {})}


class _Meanings(MapOf):
    """Meanings by label."""

    def read(self, value: object, place: Place, reading: Reading) -> Any:
        """Return the meanings."""
        before = len(reading.problems)
        given = super().read(value, place, reading)
        if given is INVALID or len(reading.problems) > before:
            return INVALID
        return tuple(Meaning(label, each["words"], each["example"]) for label, each in given.items())


@dataclass(frozen=True)
class LabelledField(Field):
    """A field whose value is made of labels; some of them may have a meaning in plain words."""

    can_be_claimed = True
    keys: ClassVar[Mapping[str, Key]] = {
        "labels": Key(Labels(Text(LONGEST_LABEL), 2, MOST_LABELS), attribute="label_names"),
        "meanings": Key(
            _Meanings(Keys({"words": Key(Text(200)), "example": Key(Text(300, may_be_blank=True), "")})),
            (),
            "Labels in plain words, for people who don't know them",
        ),
    }

    label_names: tuple[str, ...] = ()
    meanings: tuple[Meaning, ...] = ()

    @property
    def labels(self) -> tuple[str, ...]:
        """Return the labels in the order of the configuration."""
        return self.label_names

    def with_labels(self, labels: tuple[str, ...]) -> Self:
        """Return a field like this one whose value is made of other labels."""
        return replace(self, label_names=labels)

    def check_label(self, value: object, path: str) -> str:
        """Return one label. Raises InputRefused."""
        if not isinstance(value, str) or value not in self.label_names:
            shown = repr(value[:50]) if isinstance(value, str) else "not text"
            remedy = "Choose one of: " + ", ".join(self.label_names) + "."
            raise InputRefused(path, f"is {shown}, no label of this task", remedy)
        return value

    def settings(self) -> Mapping[str, object]:
        """Return the keys that only fields with labels have."""
        meanings = {each.label: each.document() for each in self.meanings}
        return {"labels": list(self.label_names), **({"meanings": meanings} if meanings else {})}
