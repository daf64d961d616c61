"""Take a person's answer on a leased example."""

from dataclasses import asdict, dataclass

from dynabench_common.clock import Clock
from dynabench_common.idempotency import KeyedRequest, fingerprint
from dynabench_common.identifiers import new_id

from validation.adapters.unit_of_work import MakeUnitOfWork, UnitOfWork
from validation.domain.ballots import Ballot
from validation.domain.errors import LeaseOfAnother
from validation.domain.example_validation import ExampleValidation
from validation.domain.identifiers import LeaseId, PersonId, VoteId
from validation.domain.votes import Vote
from validation.service_layer.admission import ensure_takes_votes, find_lease
from validation.service_layer.quality import ensure_may_validate, notice_after
from validation.service_layer.vote_replies import Document, vote_reply

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


def cast_vote(command: CastVote, make_uow: MakeUnitOfWork, clock: Clock) -> Reply:
    """Store the answer, and resolve the example if that decides it; what the author claims is told on request.

    Raises the errors of `ExampleValidation.cast`, LeaseUnknown, LeaseOfAnother, RoundTakesNoVotes, ValidationPaused
    and IdempotencyKeyReused.
    """
    with make_uow() as uow:
        uow.serialise(command.person_id)
        kept = uow.replies.find(command.request)
        if kept is not None:
            return Reply(kept, replayed=True)
        validation, vote = _cast(uow, command, clock)
        document = {
            **vote_reply(vote, validation, explanation=None),
            "notice": notice_after(uow, validation, vote),
        }
        uow.replies.store(command.request, document)
        uow.commit()
        return Reply(document, replayed=False)


def _cast(uow: UnitOfWork, command: CastVote, clock: Clock) -> tuple[ExampleValidation, Vote]:
    lease = find_lease(uow, command.lease_id, command.person_id)
    validation = uow.validations.lock(lease.example_id)
    if lease.holder_id != command.person_id:
        validation.ensure_may_vote(command.person_id)
        raise LeaseOfAnother(lease.lease_id)
    ensure_takes_votes(uow.rounds, validation.round_id)
    ensure_may_validate(uow, validation.round_id, command.person_id)
    now = clock.now()
    others = uow.leases.count_live_of_others(lease.example_id, command.person_id, now)
    vote = validation.cast(VoteId(new_id()), command.ballot, lease, others, now)
    uow.validations.save(validation)
    uow.leases.release(lease.lease_id)
    return validation, vote
