"""Shared code of the field types with labels."""

from dataclasses import dataclass, replace

from web.kit import words
from web.kit.configuration import Field
from web.kit.fields import Asking, FieldView, ShownValue
from web.kit.language import _
from web.kit.words import LabelView


@dataclass(frozen=True, kw_only=True)
class LabelsView(FieldView):
    """Labels to choose from; `assigned` is the one to write for where none is chosen."""

    labels: list[LabelView]
    assigned: LabelView | None = None


@dataclass(frozen=True, kw_only=True)
class ShownLabels(ShownValue):
    """Labels with the colours that their task gives them."""

    labels: list[LabelView]


def labels_view(field: Field, asking: Asking) -> LabelsView:
    """Return the question."""
    chosen = asking.entered.get(asking.control, ())
    return LabelsView(
        control=asking.control,
        type=field.type,
        label=field.label,
        is_required=asking.is_required,
        when=asking.when,
        problem=asking.own_problem,
        labels=[
            replace(each, meaning=field.meaning_of(each.name))
            for each in words.labels(field.labels, chosen, with_keys=asking.has_keys)
        ],
        assigned=replace(
            words.label(asking.assigned, field.labels), meaning=field.meaning_of(asking.assigned)
        )
        if asking.assigned
        else None,
    )


def shown_labels(field: Field, names: list[str]) -> ShownLabels:
    """Return labels in print."""
    return ShownLabels(
        name=field.name,
        type=field.type,
        label=field.label,
        text=", ".join(names) or _("none"),
        labels=[words.label(name, field.labels) for name in names],
    )
