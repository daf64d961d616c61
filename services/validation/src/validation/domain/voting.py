"""A voter's actions on an example: answer, take an answer back, change it, see the claim, add remarks.

A voter may reconsider within a minute, as long as nobody acted on the example since. Later acts of others rest on the
answer that they found. An answer on an example that still waits may be changed at any time, since nothing depends on it
yet.

A person who answers again must know no more than before. So an answer is final once its voter has seen the author's
claim. An answer that decided the example, which shows in the round's counts, can be taken back. But then no other
answer of that person counts: another person is asked.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from dynabench_events.validation import VotesWithdrawn, WithdrawalCause
from dynabench_tasks.vote_question import VoteMode
from dynabench_tasks.votes import VoteAnswer

from validation.domain.ballots import Ballot, Remarks
from validation.domain.errors import (
    AlreadyVoted,
    ExampleRetracted,
    LeaseExpired,
    NothingToJudge,
    OwnExample,
    SlotTaken,
    UndoTooLate,
    VoteFollowed,
    VoteOfAnother,
    VoteRevealed,
    VoteSettled,
    VoteUnknown,
)
from validation.domain.example_state import ExampleState
from validation.domain.identifiers import PersonId, VoteId
from validation.domain.leases import Lease
from validation.domain.votes import Vote


@dataclass
class Voting(ExampleState):
    """The voters' part of an example's validation."""

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

    def ensure_may_hold(self, lease: Lease, others_on_lease: int, now: datetime) -> None:
        """Refuse to prolong a lease on which no vote is needed any more.

        An expired one is honoured while its slot is free. Raises what `ensure_may_vote` raises, and LeaseExpired.
        """
        self.ensure_may_vote(lease.holder_id)
        if self.outcome is not None or (not lease.is_live(now) and others_on_lease >= self.possible_slots):
            raise LeaseExpired(lease.lease_id)

    def cast(
        self, vote_id: VoteId, ballot: Ballot, lease: Lease, others_on_lease: int, now: datetime
    ) -> Vote:
        """Take the lease holder's answer, and resolve the example if that decides it.

        `others_on_lease` is how many other people hold live leases on the example. Raises what
        `ensure_may_vote` and the methods of `Ballot` raise, and LeaseExpired.
        """
        self.ensure_may_vote(lease.holder_id)
        answer, metadata = self._read(ballot)
        if not lease.is_live(now) and others_on_lease >= self.possible_slots:
            raise LeaseExpired(lease.lease_id)
        vote = Vote(
            vote_id=vote_id,
            voter_id=lease.holder_id,
            lease_id=lease.lease_id,
            answer=answer,
            reason=ballot.reason.strip(),
            counted=False,
            seconds=max(0.0, (now - lease.granted_at).total_seconds()),
            cast_at=now,
            metadata=metadata,
        )
        return self._as_evidence(vote) if self._is_too_fast(vote, vote.seconds) else self._count(vote, now)

    def take_in(self, imported: Sequence[Vote], now: datetime) -> None:
        """Take votes that came with an imported record, in their order, and resolve the example if they decide it.

        Nobody has voted on it before.
        """
        ending = self.rules.ending([vote.answer for vote in imported])
        decisive = len(imported) if ending is None else ending.answers
        for vote in imported[:decisive]:
            self._take(replace(vote, counted=vote.answer.is_vote))
        if ending is not None:
            self._resolve(ending.decision, now)
        for vote in imported[decisive:]:
            self._take(replace(vote, counted=False))

    def undo(self, vote_id: VoteId, person_id: PersonId, others_on_lease: int, now: datetime) -> bool:
        """Forget the person's answer of a moment ago, and the resolution that hung on it.

        Returns whether the person may answer anew: not on an example that was resolved. Raises VoteUnknown,
        VoteOfAnother, ExampleRetracted, VoteRevealed, UndoTooLate, VoteFollowed or SlotTaken.
        """
        vote = self._unrevealed_vote(vote_id, person_id)
        if now > vote.undo_until:
            raise UndoTooLate(vote_id)
        if not vote.can_be_undone(now, followed=self._is_followed(vote)):
            raise VoteFollowed(vote_id)
        may_answer_again = self._counts_if_answered_anew(vote)
        if may_answer_again:
            self._ensure_slot_without(vote, others_on_lease)
        self._forget(vote, now)
        return may_answer_again

    def change(
        self, vote_id: VoteId, new_id: VoteId, ballot: Ballot, person_id: PersonId, others: int, now: datetime
    ) -> Vote:
        """Put another answer of the person in the place of an earlier one, as the newest on the example.

        `others` is how many other people hold live leases on the example. The time that the first answer took stays.
        On an example that was resolved the new answer is evidence. Raises VoteUnknown, VoteOfAnother,
        ExampleRetracted, VoteRevealed, VoteSettled, SlotTaken or what the methods of `Ballot` raise.
        """
        old = self._unrevealed_vote(vote_id, person_id)
        is_resolved = self.outcome is not None
        if not old.can_be_changed(now, resolved=is_resolved, followed=self._is_followed(old)):
            raise VoteSettled(vote_id)
        answer, metadata = self._read(ballot)
        seconds_since_lease = old.seconds + (now - old.cast_at).total_seconds()
        may_count = self._counts_if_answered_anew(old)
        if answer.is_vote and may_count:
            self._ensure_slot_without(old, others)
        self._forget(old, now)
        vote = Vote(
            vote_id=new_id,
            voter_id=person_id,
            lease_id=old.lease_id,
            answer=answer,
            reason=ballot.reason.strip(),
            counted=False,
            seconds=old.seconds,
            cast_at=now,
            metadata=metadata,
        )
        if may_count and not self._is_too_fast(vote, seconds_since_lease):
            return self._count(vote, now)
        return self._as_evidence(vote) if answer.is_vote else self._count(vote, now)

    def reveal(self, vote_id: VoteId, person_id: PersonId, now: datetime) -> Vote:
        """Let the voter see what the author said; from then on the answer is final.

        Raises VoteUnknown or VoteOfAnother.
        """
        vote = self._vote_of(vote_id, person_id)
        if vote.revealed_at is not None:
            return vote
        revealed = replace(vote, revealed_at=now)
        self.votes[self.votes.index(vote)] = revealed
        return revealed

    def judge(self, vote_id: VoteId, person_id: PersonId, remarks: Remarks, now: datetime) -> Vote:
        """Keep what the voter says of the claim, in the place of earlier remarks; the same again changes nothing.

        Whoever voted blind has seen the claim by then, so the vote is final. Raises VoteUnknown, VoteOfAnother,
        NothingToJudge or InputRefused.
        """
        vote = self._vote_of(vote_id, person_id)
        if remarks.agrees is not None and (not self.claimed or self.rules.mode is VoteMode.JUDGEMENT):
            raise NothingToJudge(vote_id)
        corrected = remarks.correction(self.rules, self.texts)
        judged = replace(vote, agrees=remarks.agrees, corrected=corrected, explanation=remarks.explanation)
        if judged == vote:
            return vote
        is_blind = self.rules.mode is VoteMode.LABEL
        revealed_at = (vote.revealed_at or now) if is_blind else vote.revealed_at
        judged = replace(judged, judged_at=now, revealed_at=revealed_at)
        self.votes[self.votes.index(vote)] = judged
        self._record(self._judged(judged, now))
        return judged

    def _read(self, ballot: Ballot) -> tuple[VoteAnswer, dict[str, str]]:
        """Return the answer that a ballot stands for, and the metadata beside it."""
        answer = ballot.answer(self.rules, self.texts)
        return answer, ballot.said_beside(self.rules, answer, self.round_number, self.texts)

    def _count(self, vote: Vote, now: datetime) -> Vote:
        """Add an answer, which counts while the example waits, and resolve the example if that decides it."""
        taken = replace(vote, counted=vote.answer.is_vote and self.outcome is None)
        self._take(taken)
        self._resolve_if_decided(now)
        return taken

    def _as_evidence(self, vote: Vote) -> Vote:
        """Add an answer that does not count, and leaves its slot to another person."""
        self._take(vote)
        return vote

    def _is_too_fast(self, vote: Vote, seconds: float) -> bool:
        """Tell whether nobody reads the example in that time; `unsure` claims nothing, and is taken at any time."""
        return vote.answer.is_vote and seconds < self.rules.reading_seconds(self.texts)

    def is_too_fast(self, vote: Vote) -> bool:
        """Tell whether a vote is evidence alone because it was given faster than anybody reads."""
        return vote.is_evidence and self._is_too_fast(vote, vote.seconds)

    def _vote_of(self, vote_id: VoteId, person_id: PersonId) -> Vote:
        for vote in self.votes:
            if vote.vote_id == vote_id:
                if vote.voter_id != person_id:
                    raise VoteOfAnother(vote_id)
                return vote
        raise VoteUnknown(vote_id)

    def _own_vote(self, vote_id: VoteId, person_id: PersonId) -> Vote:
        vote = self._vote_of(vote_id, person_id)
        if self.retracted:
            raise ExampleRetracted(self.example_id)
        return vote

    def _unrevealed_vote(self, vote_id: VoteId, person_id: PersonId) -> Vote:
        vote = self._own_vote(vote_id, person_id)
        if vote.revealed_at is not None:
            raise VoteRevealed(vote_id)
        return vote

    def _counts_if_answered_anew(self, vote: Vote) -> bool:
        """Tell whether another answer in the place of the vote may count.

        Where the example was resolved the voter could see from the round's counts how.
        """
        return self.outcome is None and not vote.is_evidence

    def _is_followed(self, vote: Vote) -> bool:
        """Tell whether anybody else has acted on the example since: another voter, the owner or the author."""
        decided_at = self.adjudication.decided_at if self.adjudication else None
        appealed_at = self.appealed.appealed_at if self.appealed else None
        acted_at = [time for time in (decided_at, appealed_at) if time is not None]
        return self.votes[-1] != vote or any(time >= vote.cast_at for time in acted_at)

    def _answers_without(self, vote: Vote) -> list[VoteAnswer]:
        return [other.answer for other in self.votes if other.decides and other != vote]

    def _waits_without(self, vote: Vote) -> bool:
        """Tell whether the example would wait for votes if this one had not been cast."""
        return self.adjudication is None and self.rules.decide(self._answers_without(vote)) is None

    def _ensure_slot_without(self, vote: Vote, others_on_lease: int) -> None:
        """Refuse if other people hold every slot that the example would have without the vote. Raises SlotTaken."""
        slots = self.rules.policy.possible_votes(self.rules.standing(self._answers_without(vote)))
        if self._waits_without(vote) and others_on_lease >= slots:
            raise SlotTaken(vote.vote_id)

    def _withdraw(self, votes: Sequence[Vote], cause: WithdrawalCause, now: datetime) -> None:
        self._record(
            VotesWithdrawn(
                example_id=self.example_id,
                round_id=self.round_id,
                vote_ids=tuple(vote.vote_id for vote in votes),
                cause=cause,
                withdrawn_at=now,
            )
        )

    def _forget(self, vote: Vote, now: datetime) -> None:
        waits = self._waits_without(vote)
        self.votes.remove(vote)
        self._withdraw((vote,), WithdrawalCause.UNDONE, now)
        if waits:
            self._decide_anew(now)
