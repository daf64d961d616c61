"""A day of the calendar."""

from dataclasses import dataclass
from datetime import date

from dynabench_tasks.fields import FIELD_TYPES, Field, InputRefused, Texts


@FIELD_TYPES.register("date")
@dataclass(frozen=True)
class DateField(Field):
    """A day, written as in 2026-11-21."""

    type_name = "date"

    def check(self, value: object, texts: Texts, path: str) -> str:
        """Return the day as it came. Raises InputRefused."""
        try:
            return date.fromisoformat(str(value)).isoformat()
        except ValueError as err:
            raise InputRefused(path, "is not a day", "Write it as in 2026-11-21.") from err
