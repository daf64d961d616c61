"""One label out of several."""

from collections.abc import Mapping
from dataclasses import dataclass

from annotation.domain.configuration.section import ConfigurationError, Section
from annotation.domain.fields import FIELD_TYPES, InputRefused

MOST_LABELS = 100


@dataclass(frozen=True)
class MulticlassField:
    """Exactly one of `labels`."""

    name: str
    label: str
    labels: tuple[str, ...]

    def check(self, value: object, path: str) -> str:
        """Return the label. Raises InputRefused."""
        if not isinstance(value, str) or value not in self.labels:
            shown = repr(value[:50]) if isinstance(value, str) else "not text"
            raise InputRefused(
                path, f"is {shown}, no label of this task", "Choose one of: " + ", ".join(self.labels) + "."
            )
        return value

    def document(self) -> Mapping[str, object]:
        """Return the field's configuration."""
        return {"name": self.name, "type": "multiclass", "label": self.label, "labels": list(self.labels)}


@FIELD_TYPES.register("multiclass")
class MulticlassType:
    """Reads multiclass fields."""

    @staticmethod
    def read(section: Section, name: str, label: str) -> MulticlassField:
        """Return the field. Raises ConfigurationError."""
        labels = section.texts("labels", 60, MOST_LABELS)
        if len(labels) < 2:
            raise ConfigurationError(section.at("labels"), "has one entry", "Give at least two labels.")
        return MulticlassField(name, label, labels)
