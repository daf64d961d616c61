"""A day of the calendar."""

from collections.abc import Sequence
from dataclasses import dataclass

from dynabench_tasks.values import Value
from web.kit.configuration import Field
from web.kit.fields import Asking, FieldView, ShownValue, Texts, register


@dataclass(frozen=True, kw_only=True)
class DateView(FieldView):
    """A day to choose."""

    value: str


@register("date")
class DateType:
    """The browser's own calendar."""

    def ask(self, field: Field, asking: Asking) -> DateView:
        """Return the question."""
        return DateView(
            control=asking.control,
            type=field.type,
            label=field.label,
            is_required=asking.is_required,
            when=asking.when,
            problem=asking.own_problem,
            value=asking.first(),
        )

    def read(self, field: Field, asking: Asking, texts: Texts) -> Value | None:
        """Return the day that the form holds."""
        return asking.first() or None

    def fill(self, control: str, value: Value) -> dict[str, Sequence[str]]:
        """Return the control that holds the day."""
        return {control: (str(value),)}

    def show(self, field: Field, value: Value) -> ShownValue:
        """Return the day in print."""
        return ShownValue(name=field.name, type=field.type, label=field.label, text=str(value))
