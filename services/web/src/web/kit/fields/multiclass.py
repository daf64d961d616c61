"""Field type for one label out of several."""

from collections.abc import Sequence

from dynabench_tasks.values import Value

from web.kit.configuration import Field
from web.kit.fields import Asking, FieldView, ShownValue, Texts, register
from web.kit.fields.labels import labels_view, shown_labels


@register("multiclass")
class MulticlassType:
    """Radio buttons, or the label that was assigned."""

    def ask(self, field: Field, asking: Asking) -> FieldView:
        """Return the question."""
        return labels_view(field, asking)

    def read(self, field: Field, asking: Asking, texts: Texts) -> Value | None:  # noqa: ARG002
        """Return the chosen label."""
        return asking.first() or None

    def fill(self, control: str, value: Value) -> dict[str, Sequence[str]]:
        """Return the control that holds the label."""
        return {control: (str(value),)}

    def show(self, field: Field, value: Value) -> ShownValue:
        """Return the label with its colour."""
        return shown_labels(field, [str(value)])
