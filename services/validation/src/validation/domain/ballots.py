"""What a validator sends in, checked against the task's rules."""

from dataclasses import dataclass

from validation.domain.errors import FieldOutOfPlace, FlagReasonMissing, OptionUnknown, WrongVoteKind
from validation.domain.resolution import Answer, VoteKind
from validation.domain.rules import ValidationRules


@dataclass(frozen=True)
class Ballot:
    """A validator's words as they came: `label` with a label or judgement, `reason` with a flag."""

    kind: VoteKind
    label: str = ""
    reason: str = ""

    def answer(self, rules: ValidationRules) -> Answer:
        """Return the answer it stands for.

        Raises WrongVoteKind, OptionUnknown, FlagReasonMissing or FieldOutOfPlace.
        """
        match self.kind:
            case VoteKind.FLAG:
                return self._flag()
            case VoteKind.UNSURE:
                self._refuse("label", self.label)
                self._refuse("reason", self.reason)
                return Answer(VoteKind.UNSURE)
            case _:
                return self._choice(rules)

    def _flag(self) -> Answer:
        self._refuse("label", self.label)
        if not self.reason.strip():
            raise FlagReasonMissing
        return Answer(VoteKind.FLAG)

    def _choice(self, rules: ValidationRules) -> Answer:
        if self.kind is not rules.mode.kind:
            raise WrongVoteKind(self.kind, rules.mode.kind)
        self._refuse("reason", self.reason)
        if self.label not in rules.options:
            raise OptionUnknown(self.label, rules.options)
        return Answer(self.kind, self.label)

    def _refuse(self, field: str, value: str) -> None:
        if value:
            raise FieldOutOfPlace(field, self.kind)
