"""A validator's submitted answer, checked against the task's rules."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from dynabench_tasks.votes import VoteAnswer, VoteKind

from validation.domain.errors import FieldOutOfPlace, FlagReasonMissing, WrongVoteKind
from validation.domain.metadata import read_metadata
from validation.domain.rules import ValidationRules


@dataclass(frozen=True)
class Ballot:
    """A validator's words as they came: `value` with a label or judgement, `reason` with a flag."""

    kind: VoteKind
    value: object = None
    reason: str = ""
    metadata: Mapping[str, object] = field(default_factory=dict)

    def answer(self, rules: ValidationRules, texts: Mapping[str, str]) -> VoteAnswer:
        """Return the answer of this ballot; `texts` are the example's fields.

        Raises WrongVoteKind, InputRefused, FlagReasonMissing or FieldOutOfPlace.
        """
        match self.kind:
            case VoteKind.FLAG:
                return self._flag()
            case VoteKind.UNSURE:
                self._refuse("value", self.value)
                self._refuse("reason", self.reason)
                return VoteAnswer(VoteKind.UNSURE)
            case _:
                return self._choice(rules, texts)

    def metadata_with(
        self, rules: ValidationRules, answer: VoteAnswer, round_number: int, texts: Mapping[str, str]
    ) -> dict[str, str]:
        """Return the metadata that goes with the answer, as value texts. Raises InputRefused."""
        return read_metadata(rules.metadata_in(round_number), self.metadata, rules.words(answer), texts)

    def _flag(self) -> VoteAnswer:
        self._refuse("value", self.value)
        if not self.reason.strip():
            raise FlagReasonMissing
        return VoteAnswer(VoteKind.FLAG)

    def _choice(self, rules: ValidationRules, texts: Mapping[str, str]) -> VoteAnswer:
        if self.kind is not rules.question.kind:
            raise WrongVoteKind(self.kind, rules.question.kind)
        self._refuse("reason", self.reason)
        return VoteAnswer(self.kind, rules.question.read(self.value, texts, "value"))

    def _refuse(self, name: str, value: object) -> None:
        if value:
            raise FieldOutOfPlace(name, self.kind)


@dataclass(frozen=True)
class Remarks:
    """A voter's remarks after seeing the claim, unchecked.

    `agrees` is the voter's opinion of the claim, `corrected` the right claim, `explanation` the reason for the own
    answer.
    """

    agrees: bool | None = None
    corrected: object = None
    explanation: str = ""

    def correction(self, rules: ValidationRules, texts: Mapping[str, str]) -> str:
        """Return the corrected claim as value text, empty if there is none. Raises InputRefused."""
        return rules.read_correction(self.corrected, texts) if self.corrected else ""
