"""A person's answers: cast, change, take back, see the claim, add remarks, or give up the right to vote."""

from dataclasses import asdict, dataclass
from typing import Any

from dynabench_common.http.idempotency import KeyedRequest, fingerprint
from dynabench_common.identifiers import new_id

from validation.adapters.unit_of_work import UnitOfWork
from validation.domain.ballots import Ballot, Remarks
from validation.domain.disclosure import Disclosure
from validation.domain.errors import LeaseOfAnother
from validation.domain.example_validation import ExampleValidation
from validation.domain.identifiers import ExampleId, LeaseId, PersonId, VoteId
from validation.domain.votes import Vote
from validation.service_layer.admission import ensure_takes_votes, find_lease
from validation.service_layer.dependencies import Dependencies
from validation.service_layer.empty_queue import NoOffer, asks_another
from validation.service_layer.leases import Offer, grant
from validation.service_layer.validators import ensure_may_validate, notice_after

Document = dict[str, Any]


def vote_reply(vote: Vote, validation: ExampleValidation, disclosure: Disclosure | None = None) -> Document:
    """Return the reply about a stored vote; a final one has the claim, the disclosure and the outcome."""
    if disclosure is None:
        outcome_parts: Document = {
            "undo_until": vote.undo_until.isoformat(),
            "resolution": None,
            "reveal": None,
        }
    else:
        outcome = validation.outcome
        outcome_parts = {
            "undo_until": None,
            "resolution": outcome.resolution.value if outcome else None,
            "reveal": disclosure.reveal(validation.claimed, validation.rules),
        }
    return {"vote_id": str(vote.vote_id), "counted": vote.counted, **outcome_parts}


REPLY_SCOPE = "vote"


@dataclass(frozen=True)
class CastVote:
    """A person answers; a repeated `idempotency_key` gets the first reply again."""

    lease_id: LeaseId
    person_id: PersonId
    ballot: Ballot
    idempotency_key: str | None = None

    @property
    def request(self) -> KeyedRequest:
        """Return what a repeated request is known by."""
        body = {"lease_id": str(self.lease_id), **asdict(self.ballot)}
        return KeyedRequest(self.person_id, REPLY_SCOPE, self.idempotency_key, fingerprint(body))


@dataclass(frozen=True)
class Reply:
    """The reply, and whether it was given before."""

    document: Document
    replayed: bool


def cast_vote(command: CastVote, app: Dependencies) -> Reply:
    """Store the answer, and resolve the example if that decides it; the author's claim is given on request.

    Raises the errors of `ExampleValidation.cast`, LeaseUnknown, LeaseOfAnother, RoundTakesNoVotes, ValidationPaused
    and IdempotencyKeyReused.
    """
    with app.unit_of_work() as uow:
        uow.serialise(command.person_id)
        kept = uow.replies.find(command.request)
        if kept is not None:
            return Reply(kept, replayed=True)
        validation, vote = _cast(uow, command, app)
        document = {
            **vote_reply(vote, validation),
            "notice": notice_after(uow, validation, vote),
        }
        uow.replies.store(command.request, document)
        uow.commit()
        return Reply(document, replayed=False)


def _cast(uow: UnitOfWork, command: CastVote, app: Dependencies) -> tuple[ExampleValidation, Vote]:
    lease = find_lease(uow, command.lease_id, command.person_id)
    validation = uow.validations.lock(lease.example_id)
    if lease.holder_id != command.person_id:
        validation.ensure_may_vote(command.person_id)
        raise LeaseOfAnother(lease.lease_id)
    ensure_takes_votes(uow.rounds, validation.round_id)
    ensure_may_validate(uow, validation.round_id, command.person_id)
    now = app.clock.now()
    others = uow.leases.count_live_of_others(lease.example_id, command.person_id, now)
    vote = validation.cast(VoteId(new_id()), command.ballot, lease, others, now)
    uow.validations.save(validation)
    uow.leases.release(lease.lease_id)
    return validation, vote


@dataclass(frozen=True)
class ChangeVote:
    """A voter answers otherwise."""

    vote_id: VoteId
    person_id: PersonId
    ballot: Ballot


def change_vote(command: ChangeVote, app: Dependencies) -> Document:
    """Withdraw the vote and cast another, under an id of its own; resolve the example if that decides it.

    Raises RoundTakesNoVotes, ValidationPaused and the errors of `ExampleValidation.change`.
    """
    with app.unit_of_work() as uow:
        uow.serialise(command.person_id)
        validation = uow.validations.lock_voted(command.vote_id)
        ensure_takes_votes(uow.rounds, validation.round_id)
        ensure_may_validate(uow, validation.round_id, command.person_id)
        now = app.clock.now()
        others = uow.leases.count_live_of_others(validation.example_id, command.person_id, now)
        vote = validation.change(
            command.vote_id, VoteId(new_id()), command.ballot, command.person_id, others, now
        )
        uow.validations.save(validation)
        document = vote_reply(vote, validation)
        uow.commit()
        return document


def undo_vote(vote_id: VoteId, person_id: PersonId, app: Dependencies) -> Offer | NoOffer:
    """Withdraw the vote, and the resolution that depended on it; give the voter a fresh lease on the example.

    If the example was resolved, or the vote was too fast to count, the voter gets no new lease. Then the queue
    gives the example to another person, and never again to this one.
    Raises RoundTakesNoVotes, ValidationPaused and the errors of `ExampleValidation.undo`.
    """
    with app.unit_of_work() as uow:
        uow.serialise(person_id)
        validation = uow.validations.lock_voted(vote_id)
        ensure_takes_votes(uow.rounds, validation.round_id)
        ensure_may_validate(uow, validation.round_id, person_id)
        now = app.clock.now()
        others = uow.leases.count_live_of_others(validation.example_id, person_id, now)
        may_answer_again = validation.undo(vote_id, person_id, others, now)
        uow.validations.save(validation)
        if may_answer_again:
            offer: Offer | NoOffer = grant(uow, validation.example_id, validation.round_id, person_id, now)
        else:
            uow.queue.withhold(validation.example_id, person_id)
            offer = asks_another()
        uow.commit()
        return offer


def reveal_claim(vote_id: VoteId, person_id: PersonId, app: Dependencies) -> Document:
    """Make the vote final and return it with the author's reason and models' answers; a repeat changes nothing.

    Raises VoteUnknown or VoteOfAnother.
    """
    with app.unit_of_work() as uow:
        validation = uow.validations.lock_voted(vote_id)
        vote = validation.reveal(vote_id, person_id, app.clock.now())
        uow.validations.save_reveal(validation, vote)
        document = vote_reply(vote, validation, uow.examples.disclosure(validation.example_id))
        uow.commit()
        return document


@dataclass(frozen=True)
class JudgeVote:
    """A voter comments on the author's claim."""

    vote_id: VoteId
    person_id: PersonId
    remarks: Remarks


def judge_vote(command: JudgeVote, app: Dependencies) -> Document:
    """Store the remarks, which never count, and return their current state.

    Raises RoundTakesNoVotes and the errors of `ExampleValidation.judge`.
    """
    with app.unit_of_work() as uow:
        validation = uow.validations.lock_voted(command.vote_id)
        vote = validation.judge(command.vote_id, command.person_id, command.remarks, app.clock.now())
        ensure_takes_votes(uow.rounds, validation.round_id)
        uow.validations.save(validation)
        uow.commit()
        return {
            "vote_id": vote.vote_id,
            "agrees": vote.agrees,
            "corrected": validation.rules.claim(vote.corrected),
            "explanation": vote.explanation or None,
            "judged_at": vote.judged_at,
        }


def give_up_vote(example_id: ExampleId, person_id: PersonId, app: Dependencies) -> None:
    """End the person's right to vote on an example, so that they may see what its author and others say.

    The example is kept from them for good, or the vote that they have cast on it becomes final. Again changes nothing.
    Raises ExampleUnknown.
    """
    with app.unit_of_work() as uow:
        uow.serialise(person_id)
        validation = uow.validations.lock(example_id)
        own = next((vote for vote in validation.votes if vote.voter_id == person_id), None)
        if own is None:
            uow.queue.withhold(example_id, person_id)
        else:
            vote = validation.reveal(own.vote_id, person_id, app.clock.now())
            uow.validations.save_reveal(validation, vote)
        uow.leases.drop(example_id, person_id)
        uow.commit()
