"""The aggregate of this service: one example, the answers on it, and its resolution.

Every change happens under a lock on the example. So two people who answer at the same instant are handled one after the
other, and versions of the example's events are committed in order.

A voter may reconsider within a minute, as long as nobody acted on the example since. Later acts of others rest on the
answer that they found. An answer on an example that still waits may be changed at any time, since nothing depends on it
yet.

A person who answers again must know no more than before. So an answer is final once its voter has seen the author's
claim. An answer that decided the example, which shows in the round's counts, can be taken back. But then no other
answer of that person counts: another person is asked.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

from dynabench_events.history import Aggregate
from dynabench_events.validation import (
    ExampleAppealed,
    ExampleMessageWritten,
    ExampleResolved,
    ResolutionWithdrawn,
    VoteCast,
    VoteJudged,
    VotesWithdrawn,
    WithdrawalCause,
)
from dynabench_tasks.resolution import Decision, Resolution, Standing
from dynabench_tasks.vote_question import VoteMode
from dynabench_tasks.votes import VoteAnswer

from validation.domain.ballots import Ballot, Remarks
from validation.domain.errors import (
    AlreadyAppealed,
    AlreadyVoted,
    AppealOfAnother,
    ExampleRetracted,
    LeaseExpired,
    NotAdjudicated,
    NothingToAppeal,
    NothingToJudge,
    OwnDecision,
    OwnExample,
    SlotTaken,
    UndoTooLate,
    VoteFollowed,
    VoteOfAnother,
    VoteRevealed,
    VoteSettled,
    VoteUnknown,
)
from validation.domain.identifiers import ExampleId, PersonId, RoundId, VoteId
from validation.domain.outcomes import Adjudication, Appeal, Outcome
from validation.domain.queue import Lease
from validation.domain.rules import ValidationRules
from validation.domain.votes import Vote


@dataclass(kw_only=True)
class ExampleValidation(Aggregate):
    """An example as validation knows it. `votes` are in the order in which they came.

    `claimed` and `texts`, the fields of context and input, are value texts; `claimed` is empty if nothing is claimed.
    """

    example_id: ExampleId
    round_id: RoundId
    author_id: PersonId
    claimed: str
    rules: ValidationRules
    task_slug: str = ""
    texts: Mapping[str, str] = field(default_factory=dict)
    round_number: int = 1
    retracted: bool = False
    votes: list[Vote] = field(default_factory=list)
    outcome: Outcome | None = None
    adjudication: Adjudication | None = None
    appealed: Appeal | None = None

    @property
    def votes_counted(self) -> int:
        """Return the number of votes that count towards a resolution."""
        return sum(1 for vote in self.votes if vote.counted)

    @property
    def is_asked_anew(self) -> bool:
        """Return whether its owner set votes aside, so that it waits regardless of the task's selection."""
        return any(vote.set_aside_at is not None for vote in self.votes)

    @property
    def possible_slots(self) -> int:
        """Return how many more votes may be needed; none once the example is resolved."""
        return self._slots(self.rules.policy.possible_votes)

    @property
    def certain_slots(self) -> int:
        """Return the number of further votes needed for any outcome of these votes."""
        return self._slots(self.rules.policy.certain_votes)

    def _slots(self, needed: Callable[[Standing], int]) -> int:
        return 0 if self.outcome is not None else needed(self.rules.standing(self._answers))

    @property
    def _answers(self) -> list[VoteAnswer]:
        return [vote.answer for vote in self.votes if vote.decides]

    def vote(self, vote_id: VoteId) -> Vote:
        """Return one of the votes. Raises VoteUnknown."""
        for vote in self.votes:
            if vote.vote_id == vote_id:
                return vote
        raise VoteUnknown(vote_id)

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
        """Withdraw a recent vote of the person, and the resolution that depended on it.

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
        """Replace a person's answer by another one, as the newest on the example.

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
        """Reveal the author's claim to the voter and make the answer final.

        Raises VoteUnknown or VoteOfAnother.
        """
        vote = self._vote_of(vote_id, person_id)
        if vote.revealed_at is not None:
            return vote
        revealed = replace(vote, revealed_at=now)
        self.votes[self.votes.index(vote)] = revealed
        return revealed

    def judge(self, vote_id: VoteId, person_id: PersonId, remarks: Remarks, now: datetime) -> Vote:
        """Replace the voter's remarks on the claim; equal remarks change nothing.

        A blind voter has seen the claim by then, so the vote becomes final. Raises VoteUnknown, VoteOfAnother,
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
        self.record(self._judged(judged, now))
        return judged

    def adjudicate(self, ballot: Ballot, reason: str, owner_id: PersonId, now: datetime) -> bool:
        """Resolve the example by the owner's answer alone; return whether that changed anything.

        The decision answers an open appeal, and an appeal answered by the decision that it replaces. Without an open
        appeal, a repeat of the same decision changes nothing. Raises ExampleRetracted, OwnDecision and the errors of
        `Ballot`'s methods.
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
        """Return to the resolution by votes, and reopen an appeal that the decision had answered.

        Raises ExampleRetracted, OwnDecision or NotAdjudicated.
        """
        self._ensure_owner_may_decide(owner_id)
        if self.adjudication is None:
            raise NotAdjudicated(self.example_id)
        self._reopen_appeal()
        self.adjudication = None
        self._decide_anew(now)
        if self.appealed is not None and self.appealed.is_open:
            self._record_appeal(self.appealed)

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
        self._record_appeal(self.appealed)
        return self.appealed

    def write_message(self, writer_id: PersonId, mentioned: tuple[PersonId, ...], now: datetime) -> bool:
        """Note that the author, or an owner, wrote a message; return whether it was the author.

        Raises ExampleRetracted.
        """
        if self.retracted:
            raise ExampleRetracted(self.example_id)
        by_author = writer_id == self.author_id
        self.record(
            ExampleMessageWritten(
                example_id=self.example_id,
                round_id=self.round_id,
                by_author=by_author,
                written_at=now,
                mentioned=mentioned,
            )
        )
        return by_author

    def _read(self, ballot: Ballot) -> tuple[VoteAnswer, dict[str, str]]:
        """Return the answer of a ballot, and its metadata."""
        answer = ballot.answer(self.rules, self.texts)
        return answer, ballot.metadata_with(self.rules, answer, self.round_number, self.texts)

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
        """Return whether nobody reads the example in that time; `unsure` claims nothing, and is taken at any time."""
        return vote.answer.is_vote and seconds < self.rules.reading_seconds(self.texts)

    def is_too_fast(self, vote: Vote) -> bool:
        """Return whether a vote is evidence alone because it was given faster than anybody reads."""
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
        """Return whether an answer that replaces the vote may count.

        After a resolution it may not, since the round's counts could show the voter the outcome.
        """
        return self.outcome is None and not vote.is_evidence

    def _is_followed(self, vote: Vote) -> bool:
        """Return whether anybody else has acted on the example since: another voter, the owner or the author."""
        decided_at = self.adjudication.decided_at if self.adjudication else None
        appealed_at = self.appealed.appealed_at if self.appealed else None
        acted_at = [time for time in (decided_at, appealed_at) if time is not None]
        return self.votes[-1] != vote or any(time >= vote.cast_at for time in acted_at)

    def _answers_without(self, vote: Vote) -> list[VoteAnswer]:
        return [other.answer for other in self.votes if other.decides and other != vote]

    def _waits_without(self, vote: Vote) -> bool:
        """Return whether the example would wait for votes if this one had not been cast."""
        return self.adjudication is None and self.rules.decide(self._answers_without(vote)) is None

    def _ensure_slot_without(self, vote: Vote, others_on_lease: int) -> None:
        """Refuse if other people hold every slot that the example would have without the vote. Raises SlotTaken."""
        slots = self.rules.policy.possible_votes(self.rules.standing(self._answers_without(vote)))
        if self._waits_without(vote) and others_on_lease >= slots:
            raise SlotTaken(vote.vote_id)

    def _withdraw(self, votes: Sequence[Vote], cause: WithdrawalCause, now: datetime) -> None:
        self.record(
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

    def _record_appeal(self, appeal: Appeal) -> None:
        appealed_at = appeal.appealed_at
        self.record(
            ExampleAppealed(example_id=self.example_id, round_id=self.round_id, appealed_at=appealed_at)
        )

    def _reopen_appeal(self) -> None:
        """Leave an appeal unanswered that the decision answered which is about to go."""
        decided, appealed = self.adjudication, self.appealed
        if decided is not None and appealed is not None and appealed.answered_at == decided.decided_at:
            self.appealed = Appeal(appealed.reason, appealed.appealed_at)

    def _answer_appeal(self, answer: str, now: datetime) -> None:
        if self.appealed is not None and self.appealed.is_open:
            self.appealed = replace(self.appealed, answer=answer, answered_at=now)

    def _take(self, vote: Vote) -> None:
        """Add an answer, which is evidence alone once the example is resolved."""
        self.votes.append(vote)
        self.record(self._cast(vote))

    def _cast(self, vote: Vote) -> VoteCast:
        return VoteCast(
            vote_id=vote.vote_id,
            example_id=self.example_id,
            round_id=self.round_id,
            voter_id=vote.voter_id,
            kind=vote.answer.kind,
            option=vote.answer.option,
            reason=vote.reason,
            counted=vote.counted,
            seconds=vote.seconds,
            cast_at=vote.cast_at,
            metadata=vote.metadata,
        )

    def _judged(self, vote: Vote, judged_at: datetime) -> VoteJudged:
        return VoteJudged(
            vote_id=vote.vote_id,
            example_id=self.example_id,
            round_id=self.round_id,
            agrees=bool(vote.agrees),
            judged_at=judged_at,
            corrected=vote.corrected,
            explanation=vote.explanation,
        )

    def _resolve_if_decided(self, now: datetime) -> None:
        """Resolve an unresolved example if its votes decide it."""
        decision = None if self.outcome is not None else self.rules.decide(self._answers)
        if decision is not None:
            self._resolve(decision, now)

    def _resolve(self, decision: Decision, now: datetime) -> None:
        """Take a decision of the votes, or of the owner if the example is adjudicated."""
        outcome = Outcome(
            resolution=self.rules.resolve(decision.agreed, self.claimed),
            agreed_option=decision.agreed[0].option if decision.agreed else "",
            votes_counted=decision.votes_counted,
            golds=self.rules.golds(decision.agreed),
            resolved_at=now,
        )
        self.outcome = outcome
        self.record(
            ExampleResolved(
                example_id=self.example_id,
                round_id=self.round_id,
                resolution=outcome.resolution,
                agreed_option=outcome.agreed_option,
                agreed_is_task_label=outcome.agreed_is_task_label,
                votes_counted=outcome.votes_counted,
                golds=outcome.golds,
                resolved_at=now,
                adjudicated_by=self.adjudication.decided_by if self.adjudication else None,
            )
        )

    def _decide_anew(self, now: datetime) -> None:
        """Let the votes that stand now decide again: another resolution, the same, or none any more."""
        was_resolved = self.outcome is not None
        self.outcome = None
        self._resolve_if_decided(now)
        if was_resolved and self.outcome is None:
            self.record(
                ResolutionWithdrawn(example_id=self.example_id, round_id=self.round_id, withdrawn_at=now)
            )
