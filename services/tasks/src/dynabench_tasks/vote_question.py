"""The question to validators, and the rule for two equal votes.

A task that votes by label asks for the claimed field, with the choices of a vote instead of its labels. A task
that votes by judgement asks whether the claim is right. So a field type's rules for equal and agreeing values hold for
votes too.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from dynabench_tasks.configuration.task_configuration import TaskConfiguration
from dynabench_tasks.fields import Field, InputRefused
from dynabench_tasks.fields.labels import LabelledField
from dynabench_tasks.fields.multiclass import MulticlassField
from dynabench_tasks.values import to_text
from dynabench_tasks.votes import Camp, VoteAnswer, VoteKind, equal_answers

JUDGED_CORRECT = "correct"
JUDGED_INCORRECT = "incorrect"
JUDGEMENT_FIELD = MulticlassField("label", "label", (JUDGED_CORRECT, JUDGED_INCORRECT))


class VoteMode(StrEnum):
    """The way of voting: validators answer blind, or judge the author's claim."""

    LABEL = "label"
    JUDGEMENT = "judgement"


@dataclass(frozen=True)
class VoteQuestion:
    """The question that a vote answers: `field`, whose labels are the choices; `claimed` is the task's own field."""

    mode: VoteMode
    field: Field
    claimed: Field

    @property
    def name(self) -> str:
        """Return the type of the answer, `judgement` where the claim is judged."""
        return self.mode.value if self.mode is VoteMode.JUDGEMENT else self.field.type_name

    @property
    def kind(self) -> VoteKind:
        """Return the kind of an ordinary vote."""
        return VoteKind(self.mode.value)

    @property
    def options(self) -> tuple[str, ...]:
        """Return the options; none where people give a value of their own."""
        return self.field.labels

    @property
    def marked_text(self) -> str | None:
        """Return the name of the text field that people mark, if they do."""
        return self.field.refers_to

    def read(self, given: object, texts: Mapping[str, str], path: str) -> str:
        """Return a vote's answer as value text; `texts` are the example's fields. Raises InputRefused."""
        if given is None:
            choices = f"Choose from: {', '.join(self.options)}." if self.options else "Give an answer."
            raise InputRefused(path, "is missing", choices)
        return to_text(self.field.check(given, texts, path))

    def camps(self, votes: Sequence[VoteAnswer]) -> list[Camp]:
        """Return the camps among the votes that may win: votes that agree by the field's type, and flags."""
        values = [vote.option for vote in votes if vote.kind is self.kind]
        agreeing = [
            tuple(VoteAnswer(self.kind, value) for value in same) for same in self.field.agreeing(values)
        ]
        return [*agreeing, *equal_answers([vote for vote in votes if vote.kind is not self.kind])]

    def can_be_gold(self, option: str) -> bool:
        """Return whether an answer is one of the task's own; a judgement or an option that is no label is not."""
        if self.mode is VoteMode.JUDGEMENT:
            return False
        return not self.claimed.labels or set(self.field.labels_in(option)) <= set(self.claimed.labels)

    def confirms(self, agreed: Sequence[VoteAnswer], claimed: str) -> bool:
        """Return whether the agreed answers say that the claim, a value text, is right."""
        if self.mode is VoteMode.JUDGEMENT:
            return agreed[0].option == JUDGED_CORRECT
        return self.field.agrees_with_any(claimed, [answer.option for answer in agreed])


def judging(claimed: Field) -> VoteQuestion:
    """Ask whether the claim is right."""
    return VoteQuestion(VoteMode.JUDGEMENT, JUDGEMENT_FIELD, claimed)


def blind(claimed: Field, options: tuple[str, ...] = ()) -> VoteQuestion:
    """Ask for a value of the claimed field; if it has labels, `options` replace them."""
    asked = claimed.with_labels(options) if options and isinstance(claimed, LabelledField) else claimed
    return VoteQuestion(VoteMode.LABEL, asked, claimed)


def vote_question(configuration: TaskConfiguration) -> VoteQuestion:
    """Return a task's question to its validators."""
    claimed, rules = configuration.claimed_field, configuration.validation
    return judging(claimed) if rules.vote == VoteMode.JUDGEMENT else blind(claimed, rules.options)
