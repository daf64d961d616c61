"""No answer is wrong: for rounds that only collect."""

from dataclasses import dataclass

from dynabench_tasks.values import Value
from dynabench_tasks.wrong_when import WRONG_RULES, WrongRule


@WRONG_RULES.register("never_wrong")
@dataclass(frozen=True)
class NeverWrong(WrongRule):
    """Every answer is right."""

    def is_wrong(self, claimed: Value, answered: Value) -> bool:
        """Return False."""
        return False

    def document(self) -> str:
        """Return the rule's configuration: its name, since it has no parameters."""
        return "never_wrong"
