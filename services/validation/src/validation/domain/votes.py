"""One person's answer on an example, as it is stored."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from dynabench_tasks.votes import VoteAnswer

from validation.domain.identifiers import LeaseId, PersonId, VoteId

UNDO_SECONDS = 60


@dataclass(frozen=True)
class Vote:
    """One person's answer; `lease_id` is None if it was imported.

    `counted` is false for `unsure`, for evidence that came after the resolution, and for a vote that was excluded.
    `corrected`, as value text, and `explanation` are the voter's additions after seeing the claim; both may be empty.
    `revealed_at` is when the voter asked to see the claim; from then on the answer is final.
    """

    vote_id: VoteId
    voter_id: PersonId
    lease_id: LeaseId | None
    answer: VoteAnswer
    reason: str
    counted: bool
    seconds: float
    cast_at: datetime
    metadata: Mapping[str, str] = field(default_factory=dict)
    agrees: bool | None = None
    judged_at: datetime | None = None
    corrected: str = ""
    explanation: str = ""
    set_aside_at: datetime | None = None
    revealed_at: datetime | None = None

    @property
    def decides(self) -> bool:
        """Return whether the resolution depends on the answer: on votes that count, and on `unsure` ones."""
        return self.counted or (self.set_aside_at is None and not self.answer.is_vote)

    @property
    def is_evidence(self) -> bool:
        """Return whether it is a vote that does not count, without having been set aside."""
        return self.answer.is_vote and not self.counted and self.set_aside_at is None

    @property
    def undo_until(self) -> datetime:
        """Return until when its voter may take the answer back."""
        return self.cast_at + timedelta(seconds=UNDO_SECONDS)

    def can_be_undone(self, now: datetime, *, followed: bool) -> bool:
        """Return whether its voter may take it back; `followed` if anybody else acted on the example since."""
        return now <= self.undo_until and self._is_open and not followed

    def can_be_changed(self, now: datetime, *, resolved: bool, followed: bool) -> bool:
        """Return whether its voter may answer otherwise; `resolved` if the example waits for no votes."""
        return self.can_be_undone(now, followed=followed) or (self._is_open and not resolved)

    @property
    def _is_open(self) -> bool:
        """Return whether its voter may think again: nothing was revealed, and nobody has set it aside."""
        return self.set_aside_at is None and self.revealed_at is None
