"""The rule by which an answer is wrong if its text shares too few tokens with the claimed one."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from dynabench_tasks.configuration.nested_shapes import Key
from dynabench_tasks.configuration.problems import Unfit, nearest
from dynabench_tasks.configuration.shapes import Number, Text
from dynabench_tasks.fields import Field
from dynabench_tasks.text_f1 import Likeness
from dynabench_tasks.token_f1 import token_f1
from dynabench_tasks.values import Value
from dynabench_tasks.wrong_when import WRONG_RULES, WrongRule


@WRONG_RULES.register("token_f1")
@dataclass(frozen=True)
class TokenF1(WrongRule):
    """SQuAD's token F1 of `field` under `below`, in (0, 1]."""

    keys: ClassVar[Mapping[str, Key]] = {"field": Key(Text(40)), "below": Key(Number(0.001, 1), 0.4)}

    name: ClassVar[str] = "token_f1"

    field: str
    below: float

    @property
    def likeness(self) -> Likeness:
        """Return SQuAD's rule."""
        return token_f1

    def ensure_fits(self, claimed: Field) -> None:
        """Raise Unfit for a field that nobody claims, and for claims that are no texts."""
        if self.field != claimed.name:
            reason = f"is {self.field!r}, which is not known"
            raise Unfit(("field",), reason, nearest(self.field, (claimed.name,)))
        if claimed.type_name not in ("span", "string"):
            raise Unfit((), f"compares texts, and {self.field} is {claimed.type_name}", "Use `exact_match`.")

    def is_wrong(self, claimed: Value, answered: Value) -> bool:
        """Return whether the F1 is too low."""
        return self.likeness(_text_of(answered), _text_of(claimed)) < self.below

    def document(self) -> Mapping[str, object]:
        """Return the rule's configuration."""
        return {self.name: {"field": self.field, "below": self.below}}


def _text_of(value: Value) -> str:
    return str(value["text"]) if isinstance(value, Mapping) else str(value)
