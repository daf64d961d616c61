"""A known item shown to one person, in the shape of an example.

The same code handles examples and known items, so a person cannot distinguish the two. They give the same refusals, the
same reveal, and an answer that can be undone or changed. No answer on a known item counts. The grade is that of the
first answer other than `unsure`. One event reports the answer, so that the list of a person's own votes is complete.
"""

from dataclasses import dataclass, field
from datetime import datetime

from dynabench_events import EventRecord, Versioned
from dynabench_events.known_item import KnownItemAnswered

from validation.domain.disclosure import Disclosure, ModelAnswer
from validation.domain.example_validation import ExampleValidation
from validation.domain.gold import GoldContent
from validation.domain.identifiers import GoldId


@dataclass(kw_only=True)
class GoldShowing(ExampleValidation):
    """An item shown to a person; `example_id` is the showing's own, and looks like one of the round's.

    `answered_at` and `passed` belong to the first answer other than `unsure`; until then `passed` is None. `models`
    are the models' answers shown to voters.
    """

    gold_id: GoldId
    content: GoldContent = field(repr=False)
    answered_at: datetime | None = None
    passed: bool | None = None
    models: tuple[ModelAnswer, ...] = ()

    @property
    def disclosure(self) -> Disclosure:
        """Return the author's explanation and the models' answers."""
        return Disclosure(self.content.explanation, self.models)

    def grade(self) -> bool:
        """Keep whether the answer is right, if it is the first that says something; tell whether it was kept."""
        if self.passed is not None or not self.votes:
            return False
        first = self.votes[0]
        self.answered_at, self.passed = first.cast_at, self.content.passes(first.answer, self.rules)
        return True

    def as_it_stands(self) -> Versioned[EventRecord]:
        """Return the event that reports the current answer to the list of the person's own votes."""
        vote = self.votes[0] if self.votes else None
        answered = KnownItemAnswered(
            example_id=self.example_id,
            round_id=self.round_id,
            task_slug=self.task_slug,
            context=self.content.context,
            input=self.content.input,
            vote=self._cast(vote) if vote else None,
            judged=self._judged(vote, vote.judged_at) if vote and vote.judged_at else None,
            changed_at=self.unsaved[-1].record.occurred_at,
        )
        return Versioned(self.version, answered)
