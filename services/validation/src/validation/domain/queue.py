"""The queue of examples that wait for votes: filters, leases, a person's results, and the examples shown."""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from dynabench_tasks.configuration.metadata import MetadataField
from dynabench_tasks.values import Value
from dynabench_tasks.verdict import Verdict

from validation.domain.identifiers import ExampleId, LeaseId, PersonId
from validation.domain.rules import ValidationRules


@dataclass(frozen=True)
class QueueFilter:
    """Conditions on an example; None matches anything.

    `tag` is one of its tags, `target` one that answered it wrongly, `claimed` the claim as a value text.
    """

    verdict: Verdict | None = None
    condition: str | None = None
    cohort: str | None = None
    tag: str | None = None
    target: str | None = None
    claimed: str | None = None
    segment_id: UUID | None = None


EVERYTHING = QueueFilter()


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


@dataclass(frozen=True)
class Lease:
    """A hold on an example's voting slot until `expires_at`; afterwards it counts while the slot is free."""

    lease_id: LeaseId
    example_id: ExampleId
    holder_id: PersonId
    granted_at: datetime
    expires_at: datetime

    def is_live(self, now: datetime) -> bool:
        """Return whether the hold still stands."""
        return now < self.expires_at
