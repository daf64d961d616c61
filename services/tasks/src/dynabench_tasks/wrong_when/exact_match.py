"""The rule by which an answer is wrong if any of the named outputs differs from the person's claim."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from dynabench_tasks.configuration.nested_shapes import Key, Texts
from dynabench_tasks.configuration.problems import Unfit, nearest
from dynabench_tasks.configuration.shapes import Text
from dynabench_tasks.fields import Field
from dynabench_tasks.values import Value, to_text
from dynabench_tasks.wrong_when import WRONG_RULES, WrongRule


@WRONG_RULES.register("exact_match")
@dataclass(frozen=True)
class ExactMatch(WrongRule):
    """Every one of `fields` must be equal; sets of labels are equal in any order."""

    keys: ClassVar[Mapping[str, Key]] = {"fields": Key(Texts(Text(40), 1, 20))}

    fields: tuple[str, ...]

    def ensure_fits(self, claimed: Field) -> None:
        """Raise Unfit for a field that nobody claims, and for spans."""
        for position, field in enumerate(self.fields):
            if field != claimed.name:
                reason = f"is {field!r}, which does not stand in input and output"
                raise Unfit(("fields", position), reason, nearest(field, (claimed.name,)))
        if claimed.type_name == "span":
            raise Unfit((), "compares spans letter by letter", "Use `text_f1: {field, below}` for spans.")

    def is_wrong(self, claimed: Value, answered: Value) -> bool:
        """Return whether the answer differs."""
        return to_text(claimed) != to_text(answered)

    def document(self) -> Mapping[str, object]:
        """Return the rule's configuration."""
        return {"exact_match": {"fields": list(self.fields)}}
