"""A target's probability for each label."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from dynabench_tasks.configuration.nested_shapes import Key
from dynabench_tasks.configuration.shapes import Text
from dynabench_tasks.fields import FIELD_TYPES, Field, InputRefused, Texts


@FIELD_TYPES.register("probabilities")
@dataclass(frozen=True)
class ProbabilitiesField(Field):
    """A share in [0, 1] for each label of the output `of`; a field of outputs alone."""

    type_name = "probabilities"
    can_be_asked = False
    keys: ClassVar[Mapping[str, Key]] = {
        "of": Key(Text(40), description="The output whose labels the shares belong to")
    }

    of: str = ""

    @property
    def refers_to(self) -> str:
        """Return the name of the output that the shares belong to."""
        return self.of

    def check(self, value: object, texts: Texts, path: str) -> dict[str, float]:
        """Return the shares. Raises InputRefused."""
        if not isinstance(value, dict) or not value:
            raise InputRefused(path, "is not a mapping of labels to shares", 'Send {"label": 0.7, ...}.')
        for label, share in value.items():
            is_number = isinstance(share, int | float) and not isinstance(share, bool)
            if not is_number or not 0 <= share <= 1:
                raise InputRefused(f"{path}.{label}", "is no share", "Send numbers from 0 to 1.")
        return {str(label): float(share) for label, share in value.items()}

    def value_schema(self) -> dict[str, object]:
        """Return the JSON Schema of a value."""
        share = {"type": "number", "minimum": 0, "maximum": 1}
        return {"type": "object", "additionalProperties": share, "minProperties": 1}

    def settings(self) -> Mapping[str, object]:
        """Return the keys that only this type has."""
        return {"of": self.of}
