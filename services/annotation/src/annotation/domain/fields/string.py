"""Free text."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from annotation.domain.configuration.section import Section
from annotation.domain.fields import FIELD_TYPES, AnswerUnreadable, Field, InputRefused, Texts
from annotation.domain.text import find_flaw

DEFAULT_MAX_LENGTH = 5_000
LONGEST = 20_000


@dataclass(frozen=True)
class StringField(Field):
    """A text of 1 to `max_length` code points; `starts_from` names a context field whose text the writer edits."""

    type_name = "string"
    can_be_claimed = True

    max_length: int = DEFAULT_MAX_LENGTH
    starts_from: str | None = None

    def check(self, value: object, texts: Texts, path: str) -> str:
        """Return the text exactly as it came. Raises InputRefused."""
        if not isinstance(value, str):
            raise InputRefused(path, "is not text", "Send a text.")
        flaw = find_flaw(value, self.max_length)
        if flaw is not None:
            raise InputRefused(path, flaw.reason, flaw.remedy)
        return value

    def read_answer(self, prediction: Mapping[str, Any], texts: Texts) -> str:
        """Return the answered text. Raises AnswerUnreadable."""
        answered = prediction.get("text")
        if not isinstance(answered, str):
            raise AnswerUnreadable("without a text")
        return answered

    def settings(self) -> Mapping[str, object]:
        """Return the keys that only this type has."""
        starts_from = {} if self.starts_from is None else {"starts_from": self.starts_from}
        return {"max_length": self.max_length, **starts_from}


@FIELD_TYPES.register("string")
class StringType:
    """Reads string fields."""

    schema: ClassVar[Mapping[str, object]] = {
        "max_length": {"type": "integer", "minimum": 1, "maximum": LONGEST, "default": DEFAULT_MAX_LENGTH},
        "starts_from": {
            "type": "string",
            "description": "Input only: the context field whose text the writer starts from",
        },
    }
    required: ClassVar[tuple[str, ...]] = ()

    @staticmethod
    def read(section: Section, name: str, label: str) -> StringField:
        """Return the field. Raises ConfigurationError."""
        max_length = section.whole("max_length", 1, LONGEST, DEFAULT_MAX_LENGTH)
        return StringField(name, label, max_length, section.text_if_given("starts_from", 40))
