"""Free text."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from dynabench_tasks.configuration.nested_shapes import Key
from dynabench_tasks.configuration.shapes import Text, Whole
from dynabench_tasks.fields import FIELD_TYPES, AnswerUnreadable, Field, InputRefused, Texts
from dynabench_tasks.text import is_blank, validate_text

DEFAULT_MAX_LENGTH = 5_000
LONGEST = 20_000


@FIELD_TYPES.register("string")
@dataclass(frozen=True)
class StringField(Field):
    """A text of 1 to `max_length` code points; `starts_from` names a context field whose text the writer edits.

    An optional one, which only a context has, may be left out or blank: it is empty then.
    """

    type_name = "string"
    can_be_claimed = True
    can_start = True
    is_text = True
    is_voted_blind = False
    holds_free_text = True
    keys: ClassVar[Mapping[str, Key]] = {
        "max_length": Key(Whole(1, LONGEST), DEFAULT_MAX_LENGTH),
        "starts_from": Key(Text(40), None, "Input only: the context field whose text the writer starts from"),
    }

    max_length: int = DEFAULT_MAX_LENGTH
    starts_from: str | None = None
    is_optional: bool = False

    @property
    def default(self) -> str | None:
        """Return the empty text if nothing needs to be written."""
        return "" if self.is_optional else None

    def check(self, value: object, texts: Texts, path: str) -> str:
        """Return the text exactly as it came. Raises InputRefused."""
        text = self._checked(value, path, self.max_length, may_be_blank=self.is_optional)
        return "" if self.is_optional and is_blank(text) else text

    def check_answer(self, value: object, texts: Texts, path: str) -> str:
        """Return the text; a target's may be blank, and longer than a person's. Raises InputRefused."""
        return self._checked(value, path, LONGEST, may_be_blank=True)

    def _checked(self, value: object, path: str, most: int, may_be_blank: bool = False) -> str:
        if not isinstance(value, str):
            raise InputRefused(path, "is not text", "Send a text.")
        flaw = validate_text(value, most, may_be_blank)
        if flaw is not None:
            raise InputRefused(path, flaw.reason, flaw.remedy)
        return value

    def read_answer(self, prediction: Mapping[str, Any], texts: Texts) -> str:
        """Return the answered text. Raises AnswerUnreadable."""
        answered = prediction.get("text")
        if not isinstance(answered, str):
            raise AnswerUnreadable("without a text")
        return answered

    def value_schema(self) -> dict[str, object]:
        """Return the JSON Schema of a value."""
        return {"type": "string", "minLength": 0 if self.is_optional else 1, "maxLength": self.max_length}

    def answer_schema(self) -> dict[str, object]:
        """Return the JSON Schema of a target's answer."""
        return {"type": "string", "maxLength": LONGEST}

    def settings(self) -> Mapping[str, object]:
        """Return the keys that only this type has."""
        starts_from = {} if self.starts_from is None else {"starts_from": self.starts_from}
        optional = {"optional": True} if self.is_optional else {}
        return {"max_length": self.max_length, **starts_from, **optional}
