"""The aggregate of this service: one example, the answers on it, and its resolution.

Every change happens under a lock on the example. So two people who answer at the same instant are handled one after the
other, and versions of the example's events are committed in order.
"""

from dataclasses import dataclass, replace
from datetime import datetime

from dynabench_events.validation import ExampleAppealed, WithdrawalCause
from dynabench_tasks.resolution import Decision, Resolution
from dynabench_tasks.votes import VoteAnswer

from validation.domain.ballots import Ballot
from validation.domain.errors import (
    AlreadyAppealed,
    AppealOfAnother,
    ExampleRetracted,
    NotAdjudicated,
    NothingToAppeal,
    OwnDecision,
)
from validation.domain.identifiers import PersonId
from validation.domain.outcomes import Adjudication, Appeal
from validation.domain.voting import Voting


@dataclass
class ExampleValidation(Voting):
    """Actions of voters, owner and author on an example: each changes the state and records its event."""

    def adjudicate(self, ballot: Ballot, reason: str, owner_id: PersonId, now: datetime) -> bool:
        """Take the owner's answer, which decides alone, and tell whether that changed anything.

        It answers an open appeal, and one that the decision in whose place it comes had answered; without an open one,
        the same decision again changes nothing. Raises ExampleRetracted, OwnDecision or what the methods of `Ballot`
        raise.
        """
        self._ensure_owner_may_decide(owner_id)
        answer = ballot.answer(self.rules, self.texts)
        if self._is_decided_so(answer, reason):
            return False
        self._reopen_appeal()
        self.adjudication = Adjudication(answer, reason, owner_id, now)
        self._answer_appeal(reason, now)
        self._resolve(Decision((answer,), self.votes_counted), now)
        return True

    def reverse_adjudication(self, owner_id: PersonId, now: datetime) -> None:
        """Go back to what the votes say; an appeal that the decision answered is open again.

        Raises ExampleRetracted, OwnDecision or NotAdjudicated.
        """
        self._ensure_owner_may_decide(owner_id)
        if self.adjudication is None:
            raise NotAdjudicated(self.example_id)
        self._reopen_appeal()
        self.adjudication = None
        self._decide_anew(now)

    def requeue(self, reason: str, now: datetime) -> bool:
        """Ask people anew: answers so far are kept as evidence, and a decision of the owner is dropped.

        It answers an open appeal. Returns whether that changed anything; a retracted example stays as it is.
        """
        standing = [vote for vote in self.votes if vote.set_aside_at is None]
        if self.retracted or not (standing or self.outcome):
            return False
        self.votes = [
            replace(vote, counted=False, set_aside_at=now) if vote in standing else vote
            for vote in self.votes
        ]
        if standing:
            self._withdraw(standing, WithdrawalCause.REQUEUED, now)
        self.adjudication = None
        self._answer_appeal(reason, now)
        self._decide_anew(now)
        return True

    def appeal(self, reason: str, author_id: PersonId, now: datetime) -> Appeal:
        """Let the author ask the owner, once, about a resolution that does not confirm the claim.

        Raises AppealOfAnother, ExampleRetracted, AlreadyAppealed or NothingToAppeal.
        """
        if author_id != self.author_id:
            raise AppealOfAnother(self.example_id)
        if self.retracted:
            raise ExampleRetracted(self.example_id)
        if self.appealed is not None:
            raise AlreadyAppealed(self.example_id)
        if self.outcome is None or self.outcome.resolution is Resolution.CORRECT:
            raise NothingToAppeal(self.example_id, self.outcome.resolution if self.outcome else None)
        self.appealed = Appeal(reason, now)
        self._record(ExampleAppealed(example_id=self.example_id, round_id=self.round_id, appealed_at=now))
        return self.appealed

    def _ensure_owner_may_decide(self, owner_id: PersonId) -> None:
        if self.retracted:
            raise ExampleRetracted(self.example_id)
        if owner_id == self.author_id:
            raise OwnDecision(self.example_id)

    def _is_decided_so(self, answer: VoteAnswer, reason: str) -> bool:
        decided, appealed = self.adjudication, self.appealed
        if decided is None or (appealed is not None and appealed.is_open):
            return False
        return (decided.answer, decided.reason) == (answer, reason)

    def _reopen_appeal(self) -> None:
        """Leave an appeal unanswered that the decision answered which is about to go."""
        decided, appealed = self.adjudication, self.appealed
        if decided is not None and appealed is not None and appealed.answered_at == decided.decided_at:
            self.appealed = Appeal(appealed.reason, appealed.appealed_at)

    def _answer_appeal(self, answer: str, now: datetime) -> None:
        if self.appealed is not None and self.appealed.is_open:
            self.appealed = replace(self.appealed, answer=answer, answered_at=now)
