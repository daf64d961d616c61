"""The aggregate of this service: one example, the answers on it, and what they decided.

Everything that changes here happens under a lock on the example, so two people who answer in the same instant are
taken one after the other, and versions of the example's events are committed in order.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime

from validation.domain.answers import Answer
from validation.domain.ballots import Ballot
from validation.domain.errors import (
    AlreadyVoted,
    ExampleRetracted,
    LeaseExpired,
    NothingToJudge,
    OwnExample,
    VoteOfAnother,
    VoteUnknown,
)
from validation.domain.events import Event, ExampleResolved, VoteCast, VoteJudged
from validation.domain.identifiers import ExampleId, LeaseId, PersonId, RoundId, VoteId
from validation.domain.leases import Lease
from validation.domain.resolution import Resolution, Standing
from validation.domain.rules import ValidationRules, VoteMode


@dataclass(frozen=True)
class Vote:
    """One person's answer. `counted` is false for `unsure` and for evidence that came after the resolution."""

    vote_id: VoteId
    voter_id: PersonId
    lease_id: LeaseId
    answer: Answer
    reason: str
    counted: bool
    seconds: float
    cast_at: datetime
    metadata: Mapping[str, str] = field(default_factory=dict)
    agrees: bool | None = None
    judged_at: datetime | None = None


@dataclass(frozen=True)
class Outcome:
    """How an example was resolved, once and for all but for its owner's adjudication.

    `agreed_option` is the earliest of the agreed answers; `golds` are those that can stand as gold.
    """

    resolution: Resolution
    agreed_option: str
    votes_counted: int
    golds: tuple[str, ...]
    resolved_at: datetime

    @property
    def agreed_is_task_label(self) -> bool:
        """Tell whether the agreed option is an answer of the task."""
        return bool(self.golds)


@dataclass
class ExampleValidation:
    """An example as validation knows it. `votes` are in the order in which they came.

    `claimed` and `texts`, the fields of context and input, are value texts; `claimed` is empty if nothing is claimed.
    """

    example_id: ExampleId
    round_id: RoundId
    author_id: PersonId
    claimed: str
    rules: ValidationRules
    texts: Mapping[str, str] = field(default_factory=dict)
    round_number: int = 1
    retracted: bool = False
    version: int = 0
    votes: list[Vote] = field(default_factory=list)
    outcome: Outcome | None = None
    events: list[Event] = field(default_factory=list)

    @property
    def votes_counted(self) -> int:
        """Return how many votes stand for or against a resolution."""
        return sum(1 for vote in self.votes if vote.counted)

    @property
    def possible_slots(self) -> int:
        """Return how many more votes may be needed; none once the example is resolved."""
        return self._slots(self.rules.policy.possible_votes)

    @property
    def certain_slots(self) -> int:
        """Return how many more votes are needed whatever they say."""
        return self._slots(self.rules.policy.certain_votes)

    def _slots(self, needed: Callable[[Standing], int]) -> int:
        return 0 if self.outcome is not None else needed(self.rules.standing(self._answers))

    @property
    def _answers(self) -> list[Answer]:
        return [vote.answer for vote in self.votes]

    def ensure_may_vote(self, person_id: PersonId) -> None:
        """Refuse a person who may not answer on this example.

        Raises OwnExample, AlreadyVoted or ExampleRetracted.
        """
        if person_id == self.author_id:
            raise OwnExample(self.example_id)
        for vote in self.votes:
            if vote.voter_id == person_id:
                raise AlreadyVoted(vote.vote_id)
        if self.retracted:
            raise ExampleRetracted(self.example_id)

    def cast(
        self, vote_id: VoteId, ballot: Ballot, lease: Lease, others_on_lease: int, now: datetime
    ) -> Vote:
        """Take the lease holder's answer, and resolve the example if that decides it.

        `others_on_lease` is how many other people hold live leases on the example. Raises what
        `ensure_may_vote` and the methods of `Ballot` raise, and LeaseExpired.
        """
        self.ensure_may_vote(lease.holder_id)
        answer = ballot.answer(self.rules, self.texts)
        metadata = ballot.said_beside(self.rules, answer, self.round_number, self.texts)
        if not lease.is_live(now) and others_on_lease >= self.possible_slots:
            raise LeaseExpired(lease.lease_id)
        vote = Vote(
            vote_id=vote_id,
            voter_id=lease.holder_id,
            lease_id=lease.lease_id,
            answer=answer,
            reason=ballot.reason.strip(),
            counted=answer.is_vote and self.outcome is None,
            seconds=max(0.0, (now - lease.granted_at).total_seconds()),
            cast_at=now,
            metadata=metadata,
        )
        self.votes.append(vote)
        self._record_cast(vote)
        if self.outcome is None:
            self._resolve_if_decided(now)
        return vote

    def judge(self, vote_id: VoteId, person_id: PersonId, agrees: bool, now: datetime) -> Vote:
        """Keep the voter's opinion of what the author claims; saying the same again changes nothing.

        Raises VoteUnknown, VoteOfAnother or NothingToJudge.
        """
        position = next((i for i, vote in enumerate(self.votes) if vote.vote_id == vote_id), None)
        if position is None:
            raise VoteUnknown(vote_id)
        vote = self.votes[position]
        if vote.voter_id != person_id:
            raise VoteOfAnother(vote_id)
        if not self.claimed or self.rules.mode is VoteMode.JUDGEMENT:
            raise NothingToJudge(vote_id)
        if vote.agrees is agrees:
            return vote
        judged = replace(vote, agrees=agrees, judged_at=now)
        self.votes[position] = judged
        self.events.append(
            VoteJudged(self._next_version(), vote_id, self.example_id, self.round_id, agrees, now)
        )
        return judged

    def _resolve_if_decided(self, now: datetime) -> None:
        decision = self.rules.decide(self._answers)
        if decision is None:
            return
        outcome = Outcome(
            resolution=self.rules.resolve(decision.agreed, self.claimed),
            agreed_option=decision.agreed[0].option if decision.agreed else "",
            votes_counted=decision.votes_counted,
            golds=self.rules.golds(decision.agreed),
            resolved_at=now,
        )
        self.outcome = outcome
        self.events.append(
            ExampleResolved(
                version=self._next_version(),
                example_id=self.example_id,
                round_id=self.round_id,
                resolution=outcome.resolution,
                agreed_option=outcome.agreed_option,
                agreed_is_task_label=outcome.agreed_is_task_label,
                votes_counted=outcome.votes_counted,
                golds=outcome.golds,
                resolved_at=now,
            )
        )

    def _record_cast(self, vote: Vote) -> None:
        self.events.append(
            VoteCast(
                version=self._next_version(),
                vote_id=vote.vote_id,
                example_id=self.example_id,
                round_id=self.round_id,
                voter_id=vote.voter_id,
                answer=vote.answer,
                reason=vote.reason,
                counted=vote.counted,
                seconds=vote.seconds,
                cast_at=vote.cast_at,
                metadata=vote.metadata,
            )
        )

    def _next_version(self) -> int:
        self.version += 1
        return self.version
