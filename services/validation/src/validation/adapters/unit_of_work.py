"""The transaction of one command on votes and leases."""

from typing import Any, Self

from dynabench_common import idempotency
from dynabench_common.unit_of_work import SqlUnitOfWork
from sqlalchemy import Connection, Engine, func, select

from validation.adapters import tables
from validation.adapters.copies import SqlExamples, SqlRounds
from validation.adapters.leases import SqlLeases, SqlVotes
from validation.adapters.queue import SqlQueue
from validation.adapters.validations import SqlValidations
from validation.domain.identifiers import PersonId
from validation.service_layer.ports import (
    Examples,
    Leases,
    Queue,
    Replies,
    Rounds,
    Validations,
    Votes,
)

REPLY_SCOPE = "vote"


class SqlReplies:
    """Replies kept under Idempotency-Keys. `serialise` keeps two requests with one key apart."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def find(self, person_id: PersonId, key: str, fingerprint: str) -> dict[str, Any] | None:
        """Return the kept reply. Raises IdempotencyKeyReused."""
        return idempotency.find(
            self._connection, tables.idempotency, person_id, REPLY_SCOPE, key, fingerprint
        )

    def store(self, person_id: PersonId, key: str, fingerprint: str, reply: dict[str, Any]) -> None:
        """Keep a reply."""
        idempotency.store(
            self._connection, tables.idempotency, person_id, REPLY_SCOPE, key, fingerprint, reply
        )


class ValidationUnitOfWork(SqlUnitOfWork):
    """Repositories that share one transaction with the outbox.

    Locks are taken in one order: the person, then one example. So commands never wait for each other in a circle.
    """

    validations: Validations
    queue: Queue
    leases: Leases
    rounds: Rounds
    examples: Examples
    votes: Votes
    replies: Replies

    def __init__(self, engine: Engine) -> None:
        super().__init__(engine, tables.outbox)

    def __enter__(self) -> Self:
        super().__enter__()
        self.validations = SqlValidations(self.connection, self.record)
        self.queue = SqlQueue(self.connection)
        self.leases = SqlLeases(self.connection)
        self.rounds = SqlRounds(self.connection)
        self.examples = SqlExamples(self.connection)
        self.votes = SqlVotes(self.connection)
        self.replies = SqlReplies(self.connection)
        return self

    def serialise(self, person_id: PersonId) -> None:
        """Let the person's other commands wait until this one ends."""
        key = person_id.int % 2**63
        self.connection.execute(select(func.pg_advisory_xact_lock(key)))
