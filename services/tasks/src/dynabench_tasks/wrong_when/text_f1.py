"""The rule by which an answer is wrong if its text is too unlike the claimed one, in the task's languages."""

from dataclasses import dataclass, replace
from typing import ClassVar, Self

from dynabench_tasks.text_f1 import Likeness, TextF1
from dynabench_tasks.wrong_when import WRONG_RULES
from dynabench_tasks.wrong_when.token_f1 import TokenF1


@WRONG_RULES.register("text_f1")
@dataclass(frozen=True)
class TextF1Below(TokenF1):
    """Text F1 of `field` under `below`, in (0, 1], in the task's `languages`."""

    name: ClassVar[str] = "text_f1"

    languages: tuple[str, ...] = ()

    @property
    def likeness(self) -> Likeness:
        """Return the rule of these languages."""
        return TextF1(self.languages)

    def in_languages(self, languages: tuple[str, ...]) -> Self:
        """Return the rule for a task in these languages."""
        return replace(self, languages=languages)
