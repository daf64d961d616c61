"""A day of the calendar."""

from dataclasses import dataclass
from datetime import date
from typing import ClassVar

from dynabench_tasks.configuration.problems import Section
from dynabench_tasks.fields import FIELD_TYPES, Field, InputRefused, Texts


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


@FIELD_TYPES.register("date")
class DateType:
    """Reads date fields, which have no keys of their own."""

    schema: ClassVar[dict[str, object]] = {}
    required: ClassVar[tuple[str, ...]] = ()

    @staticmethod
    def read(section: Section, name: str, label: str) -> DateField:
        """Return the field."""
        return DateField(name, label)
