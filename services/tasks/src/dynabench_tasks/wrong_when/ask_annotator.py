"""The author says which answers are wrong, after seeing them."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from dynabench_tasks.configuration.section import Section
from dynabench_tasks.fields import Field
from dynabench_tasks.values import Value
from dynabench_tasks.wrong_when import WRONG_RULES


@dataclass(frozen=True)
class AskAnnotator:
    """No rule can tell: the verdict is undecided until the author decides."""

    def is_wrong(self, claimed: Value, answered: Value) -> None:
        """Leave it to the author."""

    def document(self) -> str:
        """Return the rule's configuration."""
        return "ask_annotator"


@WRONG_RULES.register("ask_annotator")
class AskAnnotatorType:
    """Reads `ask_annotator`, which has no parameters."""

    schema: ClassVar[Mapping[str, object] | None] = None

    @staticmethod
    def read(section: Section, claimed: Field) -> AskAnnotator:
        """Return the rule."""
        return AskAnnotator()
