"""A known item in one person's hands, in the shape of an example.

Everything that people do to an example they do to a known item by the same code, so nothing tells the two apart: the
same refusals, the same reveal, an answer that can be undone or changed. None of it counts. What is graded is the
first answer, the only one that was given before the reveal.
"""

from dataclasses import dataclass, field
from datetime import datetime
from uuid import UUID

from validation.domain.example_validation import ExampleValidation
from validation.domain.gold import GoldContent
from validation.domain.identifiers import GoldId


@dataclass(kw_only=True)
class GoldShowing(ExampleValidation):
    """An item shown to a person; `example_id` is the showing's own, `served_id` the one that the person sees.

    `answered_at` and `passed` are of the first answer; `passed` is None while there is none, and for `unsure`.
    """

    gold_id: GoldId
    served_id: UUID
    content: GoldContent = field(repr=False)
    answered_at: datetime | None = None
    passed: bool | None = None

    def grade(self) -> bool:
        """Keep whether the answer is right, if it is the first; tell whether it was."""
        if self.answered_at is not None or not self.votes:
            return False
        first = self.votes[0]
        self.answered_at, self.passed = first.cast_at, self.content.passes(first.answer, self.rules)
        return True
