"""A day of the calendar."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any

from dynabench_tasks.fields import FIELD_TYPES, AnswerUnreadable, Field, InputRefused, Texts


@FIELD_TYPES.register("date")
@dataclass(frozen=True)
class DateField(Field):
    """A day, written as in 2026-11-21, which people can claim and targets of type `date-extraction` answer."""

    type_name = "date"
    can_be_claimed = True
    is_text = True
    answered_by = ("date-extraction",)

    def check(self, value: object, texts: Texts, path: str) -> str:
        """Return the day as it came. Raises InputRefused."""
        try:
            return date.fromisoformat(str(value)).isoformat()
        except ValueError as err:
            raise InputRefused(path, "is not a day", "Write it as in 2026-11-21.") from err

    def read_answer(self, prediction: Mapping[str, Any], texts: Texts) -> str:
        """Return the day that a target found. Raises AnswerUnreadable."""
        try:
            return self.check(prediction["date"], texts, self.name)
        except (KeyError, InputRefused) as err:
            raise AnswerUnreadable("without a day") from err

    def value_schema(self) -> dict[str, object]:
        """Return the JSON Schema of a day."""
        return {"type": "string", "format": "date"}
