"""Wrong when an answered text shares too few tokens with the claimed one."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from dynabench_tasks.configuration.section import ConfigurationError, Section, chosen
from dynabench_tasks.fields import Field
from dynabench_tasks.token_f1 import token_f1
from dynabench_tasks.values import Value
from dynabench_tasks.wrong_when import WRONG_RULES


@dataclass(frozen=True)
class TokenF1:
    """SQuAD's token F1 of `field` under `below`, in (0, 1]."""

    field: str
    below: float

    def is_wrong(self, claimed: Value, answered: Value) -> bool:
        """Tell whether the F1 is too low."""
        return token_f1(_text_of(answered), _text_of(claimed)) < self.below

    def document(self) -> Mapping[str, object]:
        """Return the rule's configuration."""
        return {"token_f1": {"field": self.field, "below": self.below}}


def _text_of(value: Value) -> str:
    return str(value["text"]) if isinstance(value, Mapping) else str(value)


@WRONG_RULES.register("token_f1")
class TokenF1Type:
    """Reads `token_f1` rules."""

    schema: ClassVar[Mapping[str, object] | None] = {
        "type": "object",
        "properties": {
            "field": {"type": "string"},
            "below": {"type": "number", "exclusiveMinimum": 0, "maximum": 1, "default": 0.4},
        },
        "required": ["field"],
        "additionalProperties": False,
    }

    @staticmethod
    def read(section: Section, claimed: Field) -> TokenF1:
        """Return the rule. Raises ConfigurationError for a claim that is no text or span."""
        field = chosen(section.text("field", 40), section.at("field"), (claimed.name,))
        if claimed.type_name not in ("span", "string"):
            raise ConfigurationError(
                section.path, f"compares texts, and {field} is {claimed.type_name}", "Use `exact_match`."
            )
        return TokenF1(field, section.number("below", 0.001, 1, 0.4))
