"""No answer is wrong: for rounds that only collect."""

from dataclasses import dataclass
from typing import ClassVar

from dynabench_tasks.configuration.problems import Section
from dynabench_tasks.fields import Field
from dynabench_tasks.values import Value
from dynabench_tasks.wrong_when import WRONG_RULES


@dataclass(frozen=True)
class NeverWrong:
    """Whatever a target answers is right."""

    def is_wrong(self, claimed: Value, answered: Value) -> bool:
        """Say no."""
        return False

    def document(self) -> str:
        """Return the rule's configuration: its name, since it has no parameters."""
        return "never_wrong"


@WRONG_RULES.register("never_wrong")
class NeverWrongType:
    """Reads `never_wrong`."""

    schema: ClassVar[None] = None

    @staticmethod
    def read(section: Section, claimed: Field) -> NeverWrong:
        """Return the rule."""
        return NeverWrong()
