"""The rule by which the author, after seeing the answers, says which are wrong."""

from dataclasses import dataclass

from dynabench_tasks.values import Value
from dynabench_tasks.wrong_when import WRONG_RULES, WrongRule


@WRONG_RULES.register("ask_annotator")
@dataclass(frozen=True)
class AskAnnotator(WrongRule):
    """No rule can tell: the verdict is undecided until the author decides."""

    def is_wrong(self, claimed: Value, answered: Value) -> None:
        """Return None: the author decides."""

    def document(self) -> str:
        """Return the rule's configuration."""
        return "ask_annotator"
