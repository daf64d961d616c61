"""Ports of the handlers, so that they can be read and tested without a database."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from types import TracebackType
from typing import Any, Protocol, Self

from dynabench_common.idempotency import Replies
from dynabench_common.outbox import OutboxMessage
from dynabench_tasks.configuration.metadata import MetadataField
from dynabench_tasks.rounds import RoundState
from dynabench_tasks.values import Value

from validation.domain.example_validation import ExampleValidation
from validation.domain.identifiers import ExampleId, LeaseId, PersonId, RoundId, VoteId
from validation.domain.leases import Lease
from validation.domain.queue_filters import QueueFilter
from validation.domain.rules import ValidationRules
from validation.domain.selection import Order
from validation.domain.votes import Vote
from validation.service_layer.gold_ports import GoldItems, Golds, Tasks, Validators

Document = dict[str, Any]


@dataclass(frozen=True)
class ServedExample:
    """The parts of an example that a validator may see before answering, with the rules to answer by.

    `claim_to_judge` is the author's claim if the task votes by judgement, and None if votes are blind.
    `metadata_fields` are those that votes of the example's round may be asked for.
    """

    example_id: ExampleId
    context: dict[str, Value]
    input: dict[str, Value]
    claim_to_judge: Value | None
    metadata_fields: tuple[MetadataField, ...]
    rules: ValidationRules


@dataclass(frozen=True)
class Waiting:
    """Waiting examples of a round: any at all, any of other authors, and any unanswered by the asking person.

    `next_free_at` is when the first live lease on the last ends.
    """

    anything: bool
    of_others: bool
    unanswered: bool
    next_free_at: datetime | None


class Validations(Protocol):
    """The examples as validation knows them."""

    def lock(self, example_id: ExampleId) -> ExampleValidation:
        """Return the example, locked until the unit of work ends. Raises ExampleUnknown."""

    def lock_voted(self, vote_id: VoteId) -> ExampleValidation:
        """Return the example that a vote is on, locked likewise. Raises VoteUnknown."""

    def save(self, validation: ExampleValidation) -> None:
        """Store the example and record its events."""

    def save_reveal(self, validation: ExampleValidation, revealed: Vote) -> None:
        """Store that the voter has seen what the author says."""


class Queue(Protocol):
    """The examples that wait for votes."""

    def claim(
        self, round_id: RoundId, person_id: PersonId, now: datetime, order: Order, wanted: QueueFilter
    ) -> ExampleId | None:
        """Return the first example with a slot free for the person, locked; None if there is none."""

    def is_waiting(self, example_id: ExampleId, round_id: RoundId, wanted: QueueFilter) -> bool:
        """Tell whether the example is of the round and kind, and still waits for votes."""

    def leases_given(self, round_id: RoundId) -> int:
        """Return how many leases the round has given."""

    def count_lease(self, round_id: RoundId) -> None:
        """Count a lease that the round gives; of several given in the same instant, one may count for all."""

    def skip(self, example_id: ExampleId, person_id: PersonId, now: datetime) -> None:
        """Keep the example from the person until tomorrow, UTC."""

    def withhold(self, example_id: ExampleId, person_id: PersonId) -> None:
        """Keep the example from the person for good."""

    def waiting(self, round_id: RoundId, person_id: PersonId, now: datetime, wanted: QueueFilter) -> Waiting:
        """Return what of that kind waits in the round, seen by the person."""


class Leases(Protocol):
    """Leases on examples."""

    def grant(self, example_id: ExampleId, person_id: PersonId, now: datetime, seconds: float) -> Lease:
        """Give the person a hold on the example; an earlier one on it ends."""

    def find(self, lease_id: LeaseId) -> Lease | None:
        """Return the lease, live or expired."""

    def live_of(self, person_id: PersonId, now: datetime) -> list[Lease]:
        """Return what the person holds now, oldest first."""

    def count_live_of_others(self, example_id: ExampleId, person_id: PersonId, now: datetime) -> int:
        """Count the other people who hold the example now."""

    def renew(self, lease: Lease, now: datetime, seconds: float) -> Lease:
        """Let the lease last for so long from now on. Raises LeaseUnknown if it was given back meanwhile."""

    def release(self, lease_id: LeaseId) -> None:
        """End the lease."""

    def drop(self, example_id: ExampleId, person_id: PersonId) -> None:
        """End the person's hold on the example, live or expired, if there is one."""


class Rounds(Protocol):
    """The rounds that annotation published."""

    def state(self, round_id: RoundId) -> RoundState:
        """Return where the round stands. Raises RoundUnknown."""


class Examples(Protocol):
    """The texts of the examples."""

    def served(self, example_id: ExampleId) -> ServedExample:
        """Return what a validator may see. Raises ExampleUnknown."""

    def explanation(self, example_id: ExampleId) -> str | None:
        """Return the author's words on why the claim is right, if there are any."""


class Votes(Protocol):
    """Look-ups across examples."""

    def cast_on_lease(self, lease_id: LeaseId, voter_id: PersonId) -> VoteId | None:
        """Return the vote that the person cast on the lease, which ended with it."""

    def any_of(self, person_id: PersonId, round_id: RoundId) -> bool:
        """Tell whether the person has voted in the round."""


class UnitOfWork(Protocol):
    """One transaction; leaving it without `commit` takes everything back."""

    validations: Validations
    queue: Queue
    leases: Leases
    rounds: Rounds
    examples: Examples
    votes: Votes
    replies: Replies
    golds: Golds
    gold_items: GoldItems
    tasks: Tasks
    validators: Validators

    def __enter__(self) -> Self:
        """Begin."""

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """End, and roll back what was not committed."""

    def serialise(self, person_id: PersonId) -> None:
        """Let the person's other commands wait until this one ends."""

    def record(self, messages: Iterable[OutboxMessage]) -> None:
        """Write messages that go out once the changes are durable."""

    def commit(self) -> None:
        """Make the changes and their events durable."""


class MakeUnitOfWork(Protocol):
    """Opens units of work."""

    def __call__(self) -> UnitOfWork:
        """Return a fresh one."""
