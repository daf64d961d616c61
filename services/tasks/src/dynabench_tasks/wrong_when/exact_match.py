"""Wrong when any of the named outputs differs from what the person claims."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from dynabench_tasks.configuration.section import ConfigurationError, Section, unknown
from dynabench_tasks.fields import Field
from dynabench_tasks.values import Value, to_text
from dynabench_tasks.wrong_when import WRONG_RULES


@dataclass(frozen=True)
class ExactMatch:
    """Every one of `fields` must be equal; sets of labels are equal in any order."""

    fields: tuple[str, ...]

    def is_wrong(self, claimed: Value, answered: Value) -> bool:
        """Tell whether the answer differs."""
        return to_text(claimed) != to_text(answered)

    def document(self) -> Mapping[str, object]:
        """Return the rule's configuration."""
        return {"exact_match": {"fields": list(self.fields)}}


@WRONG_RULES.register("exact_match")
class ExactMatchType:
    """Reads `exact_match` rules."""

    schema: ClassVar[Mapping[str, object] | None] = {
        "type": "object",
        "properties": {"fields": {"type": "array", "items": {"type": "string"}, "minItems": 1}},
        "required": ["fields"],
        "additionalProperties": False,
    }

    @staticmethod
    def read(section: Section, claimed: Field) -> ExactMatch:
        """Return the rule. Raises ConfigurationError for a field that nobody claims."""
        fields = section.texts("fields", 40, 20)
        for position, field in enumerate(fields):
            if field != claimed.name:
                path = f"{section.at('fields')}[{position}]"
                raise unknown(
                    field, (claimed.name,), path, f"is {field!r}, which does not stand in input and output"
                )
        if claimed.type_name == "span":
            raise ConfigurationError(
                section.path, "compares spans letter by letter", "Use `token_f1: {field, below}` for spans."
            )
        return ExactMatch(fields)
