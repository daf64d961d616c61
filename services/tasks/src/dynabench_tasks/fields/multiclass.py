"""One label out of several."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from dynabench_tasks.fields import FIELD_TYPES, AnswerUnreadable, Texts
from dynabench_tasks.fields.labels import LabelledField


@FIELD_TYPES.register("multiclass")
@dataclass(frozen=True)
class MulticlassField(LabelledField):
    """Exactly one of `labels`."""

    type_name = "multiclass"
    answered_by = ("text-classification", "text-pair-classification")
    is_text = True

    def check(self, value: object, texts: Texts, path: str) -> str:
        """Return the label. Raises InputRefused."""
        return self.check_label(value, path)

    def value_schema(self) -> dict[str, object]:
        """Return the JSON Schema of a value."""
        return {"enum": list(self.labels)}

    def labels_in(self, value: str) -> tuple[str, ...]:
        """Return the label."""
        return (value,) if value else ()

    def read_answer(self, prediction: Mapping[str, Any], texts: Texts) -> str:
        """Return the answered label. Raises AnswerUnreadable."""
        answered = prediction.get("label")
        if not isinstance(answered, str) or answered not in self.labels:
            raise AnswerUnreadable("with a label that the task does not have")
        return answered
