"""What fields made of labels share; registers nothing itself."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Self

from dynabench_tasks.configuration.section import ConfigurationError, Section
from dynabench_tasks.fields import Field, InputRefused

MOST_LABELS = 100
LONGEST_LABEL = 60
LABELS_SCHEMA: Mapping[str, object] = {
    "labels": {
        "type": "array",
        "items": {"type": "string", "minLength": 1, "maxLength": LONGEST_LABEL},
        "minItems": 2,
        "maxItems": MOST_LABELS,
        "uniqueItems": True,
    }
}


@dataclass(frozen=True)
class LabelledField(Field):
    """A field whose value is made of labels."""

    can_be_claimed = True

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


def read_labels(section: Section) -> tuple[str, ...]:
    """Return the labels of a field. Raises ConfigurationError."""
    labels = section.texts("labels", LONGEST_LABEL, MOST_LABELS)
    if len(labels) < 2:
        raise ConfigurationError(section.at("labels"), "has one entry", "Give at least two labels.")
    return labels
