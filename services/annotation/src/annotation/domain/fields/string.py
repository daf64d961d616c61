"""Free text."""

from collections.abc import Mapping
from dataclasses import dataclass

from annotation.domain.configuration.section import Section
from annotation.domain.fields import FIELD_TYPES, InputRefused
from annotation.domain.text import find_flaw

DEFAULT_MAX_LENGTH = 5_000
LONGEST = 20_000


@dataclass(frozen=True)
class StringField:
    """A text of 1 to `max_length` code points."""

    name: str
    label: str
    max_length: int

    def check(self, value: object, path: str) -> str:
        """Return the text exactly as it came. Raises InputRefused."""
        if not isinstance(value, str):
            raise InputRefused(path, "is not text", "Send a text.")
        flaw = find_flaw(value, self.max_length)
        if flaw is not None:
            raise InputRefused(path, flaw.reason, flaw.remedy)
        return value

    def document(self) -> Mapping[str, object]:
        """Return the field's configuration."""
        return {"name": self.name, "type": "string", "label": self.label, "max_length": self.max_length}


@FIELD_TYPES.register("string")
class StringType:
    """Reads string fields."""

    @staticmethod
    def read(section: Section, name: str, label: str) -> StringField:
        """Return the field. Raises ConfigurationError."""
        return StringField(name, label, section.whole("max_length", 1, LONGEST, DEFAULT_MAX_LENGTH))
