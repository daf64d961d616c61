"""A set of labels."""

from collections.abc import Sequence

from dynabench_tasks.values import Value

from web.kit.configuration import Field
from web.kit.fields import Asking, FieldView, ShownValue, Texts, register
from web.kit.fields.labels import labels_view, shown_labels


@register("multilabel")
class MultilabelType:
    """Checkboxes."""

    def ask(self, field: Field, asking: Asking) -> FieldView:
        """Return the question."""
        return labels_view(field, asking)

    def read(self, field: Field, asking: Asking, texts: Texts) -> Value | None:  # noqa: ARG002
        """Return the chosen labels, sorted, each once."""
        return sorted(set(asking.entered.get(asking.control, ()))) or None

    def fill(self, control: str, value: Value) -> dict[str, Sequence[str]]:
        """Return the control that holds the labels."""
        return {control: tuple(map(str, value))}

    def show(self, field: Field, value: Value) -> ShownValue:
        """Return the labels with their colours."""
        names = [str(name) for name in value]
        order = [name for name in field.labels if name in names]
        return shown_labels(field, order + [name for name in names if name not in order])
