"""Free text."""

from collections.abc import Sequence
from dataclasses import dataclass

from dynabench_tasks.values import Value

from web.kit.configuration import Field
from web.kit.fields import Asking, FieldView, ShownValue, Texts, register
from web.kit.numbers import count

WRITE_KEY = "e"


@dataclass(frozen=True, kw_only=True)
class TextView(FieldView):
    """A text to write; its length is counted in code points."""

    value: str
    max_length: int
    key: str

    @property
    def length(self) -> str:
        """The present length as printed."""
        return count(len(self.value))

    @property
    def limit(self) -> str:
        """The longest length as printed."""
        return count(self.max_length)


@register("string")
class StringType:
    """A text area; line breaks count once, as the person sees them."""

    def ask(self, field: Field, asking: Asking) -> TextView:
        """Return the question."""
        return TextView(
            control=asking.control,
            type=field.type,
            label=field.label,
            is_required=asking.is_required,
            when=asking.when,
            problem=asking.own_problem,
            value=_text(asking),
            max_length=field.max_length,
            key=WRITE_KEY if asking.has_keys else "",
        )

    def read(self, field: Field, asking: Asking, texts: Texts) -> Value | None:  # noqa: ARG002
        """Return the text as it was written; a blank one is refused by the service, with its own words."""
        return _text(asking)

    def fill(self, control: str, value: Value) -> dict[str, Sequence[str]]:
        """Return the control that holds the text."""
        return {control: (str(value),)}

    def show(self, field: Field, value: Value) -> ShownValue:
        """Return the text."""
        return ShownValue(name=field.name, type=field.type, label=field.label, text=str(value))


def _text(asking: Asking) -> str:
    return asking.first().replace("\r\n", "\n")
