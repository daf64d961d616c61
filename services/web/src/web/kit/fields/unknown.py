"""Field type that these pages do not know, for example of a newer platform: a message instead of a broken page."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

from dynabench_tasks.values import Value

from web.kit.configuration import Field
from web.kit.fields import UNKNOWN, Asking, FieldView, ShownValue, Texts, register
from web.kit.language import _


@dataclass(frozen=True, kw_only=True)
class UnaskedView(FieldView):
    """A field that these pages can't ask for, and why."""

    why: str

    @classmethod
    def of(cls, field: Field, asking: Asking, why: str) -> Self:
        """Return the view."""
        return cls(
            control=asking.control,
            type=UNKNOWN,
            label=field.label,
            is_required=asking.is_required,
            when=asking.when,
            problem=asking.own_problem,
            why=why,
        )


@register(UNKNOWN)
class UnknownType:
    """Fallback of every type."""

    def ask(self, field: Field, asking: Asking) -> FieldView:
        """Return that the field can't be asked for here."""
        why = _(
            "These pages can't show fields of the type “%(type)s”. Use the command line or the API.",
            type=field.type,
        )
        return UnaskedView.of(field, asking, why)

    def read(self, field: Field, asking: Asking, texts: Texts) -> Value | None:  # noqa: ARG002
        """Return nothing: no form holds such a value."""
        return None

    def fill(self, control: str, value: Value) -> dict[str, Sequence[str]]:  # noqa: ARG002
        """Return no controls."""
        return {}

    def show(self, field: Field, value: Value) -> ShownValue:
        """Return the value as text."""
        text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)
        return ShownValue(name=field.name, type=UNKNOWN, label=field.label, text=text)
