"""The owner's decision on evidence against a person, the person's appeal, and its answer."""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from dynabench_api.words import FairPlayDecision

from crowd.domain.errors import AppealRefused


@dataclass(kw_only=True)
class Review:
    """A decision. The next one after an appeal answers it."""

    assignment_id: UUID
    decision: FairPlayDecision
    reason: str
    decided_at: datetime
    appeal: str | None = None
    appealed_at: datetime | None = None
    answer: str | None = None
    answered_at: datetime | None = None

    def decide(self, decision: FairPlayDecision, reason: str, now: datetime) -> None:
        """Decide again: with an answer to an appeal, else with another reason."""
        self.decision = decision
        if self.appeal is None:
            self.reason, self.decided_at = reason, now
        else:
            self.answer, self.answered_at = reason, now

    def make_appeal(self, text: str, now: datetime) -> None:
        """Take the person's appeal, once. Raises AppealRefused."""
        if self.appeal is not None or self.decision is not FairPlayDecision.EXCLUDED:
            raise AppealRefused
        self.appeal, self.appealed_at = text, now

    @property
    def concerns_person(self) -> bool:
        """Return whether the person sees the decision: they are excluded, or were."""
        return self.decision is FairPlayDecision.EXCLUDED or self.appeal is not None
