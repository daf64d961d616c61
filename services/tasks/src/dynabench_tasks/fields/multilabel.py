"""A set of labels."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from dynabench_tasks.fields import FIELD_TYPES, AnswerUnreadable, InputRefused, Texts, from_text
from dynabench_tasks.fields.labels import LabelledField


@FIELD_TYPES.register("multilabel")
@dataclass(frozen=True)
class MultilabelField(LabelledField):
    """At least one of `labels`; their order means nothing, so the value is sorted."""

    type_name = "multilabel"
    answered_by = ("multilabel-classification",)

    def check(self, value: object, texts: Texts, path: str) -> list[str]:
        """Return the labels, sorted. Raises InputRefused."""
        if not isinstance(value, list):
            raise InputRefused(path, "is not a list of labels", 'Send a list such as ["a", "b"].')
        if not value:
            raise InputRefused(path, "names no label", f"Choose at least one of: {', '.join(self.labels)}.")
        labels = [self.check_label(label, f"{path}[{i}]") for i, label in enumerate(value)]
        for position, label in enumerate(labels):
            if label in labels[:position]:
                raise InputRefused(f"{path}[{position}]", f"repeats {label!r}", "Name each label once.")
        return sorted(labels)

    def check_answer(self, value: object, texts: Texts, path: str) -> list[str]:
        """Return the labels, sorted; a target may find none. Raises InputRefused."""
        return [] if value == [] else self.check(value, texts, path)

    def value_schema(self) -> dict[str, object]:
        """Return the JSON Schema of a value."""
        return {**self.answer_schema(), "minItems": 1}

    def answer_schema(self) -> dict[str, object]:
        """Return the JSON Schema of a target's answer, which may be empty."""
        return {"type": "array", "items": {"enum": list(self.labels)}, "uniqueItems": True}

    def agrees_with_any(self, value: str, others: Iterable[str]) -> bool:
        """Return whether another set has the same labels, in any order."""
        return any(set(self.labels_in(value)) == set(self.labels_in(other)) for other in others)

    def labels_in(self, value: str) -> tuple[str, ...]:
        """Return the labels, sorted; none of a text that stands for no set."""
        try:
            return tuple(sorted({str(label) for label in from_text(value, self.type_name)})) if value else ()
        except ValueError:
            return ()

    def read_answer(self, prediction: Mapping[str, Any], texts: Texts) -> list[str]:
        """Return the answered labels, sorted; a target may find none. Raises AnswerUnreadable."""
        answered = prediction.get("labels")
        if not isinstance(answered, list) or not all(
            isinstance(each, str) and each in self.labels for each in answered
        ):
            raise AnswerUnreadable("with labels that the task does not have")
        return sorted(set(answered))
