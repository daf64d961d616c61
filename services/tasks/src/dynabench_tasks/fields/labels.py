"""What fields made of labels share; registers nothing itself."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Self

from dynabench_tasks.configuration.nested_shapes import Key, Texts
from dynabench_tasks.configuration.problems import Place, Reading
from dynabench_tasks.configuration.shapes import Text
from dynabench_tasks.fields import Field, InputRefused

MOST_LABELS = 100
LONGEST_LABEL = 60


@dataclass(frozen=True)
class _Labels(Texts):
    """At least two different labels."""

    def read(self, value: object, place: Place, reading: Reading) -> Any:
        """Return the labels."""
        if isinstance(value, list) and len(value) == 1:
            return reading.refuse(place, "has one entry", "Give at least two labels.")
        return super().read(value, place, reading)


@dataclass(frozen=True)
class LabelledField(Field):
    """A field whose value is made of labels."""

    can_be_claimed = True
    keys: ClassVar[Mapping[str, Key]] = {
        "labels": Key(_Labels(Text(LONGEST_LABEL), 2, MOST_LABELS), attribute="label_names")
    }

    label_names: tuple[str, ...] = ()

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
        return {"labels": list(self.label_names)}
