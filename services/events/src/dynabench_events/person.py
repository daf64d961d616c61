"""Events about people. Published by accounts; pseudonyms only, names and mail addresses never leave it."""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from dynabench.person.v1 import person_pb2

from dynabench_events.codec import EventRecord, event

TOPIC = "dynabench.person.v1"


@event(person_pb2.PersonRegistered, of="person_id", at="registered_at")
@dataclass(frozen=True, slots=True, kw_only=True)
class PersonRegistered(EventRecord):
    """A person signed up, with the roles of a new account."""

    person_id: UUID
    cohort: str
    roles: tuple[str, ...]
    registered_at: datetime


@event(person_pb2.PersonRolesChanged, of="person_id", at="changed_at")
@dataclass(frozen=True, slots=True, kw_only=True)
class PersonRolesChanged(EventRecord):
    """The set of a person's roles changed; `roles` is the complete new set."""

    person_id: UUID
    roles: tuple[str, ...]
    changed_at: datetime


@event(person_pb2.PersonDeleted, of="person_id", at="deleted_at")
@dataclass(frozen=True, slots=True, kw_only=True)
class PersonDeleted(EventRecord):
    """A person deleted the account; `withdraws_texts` if texts of rounds that are not released are to be withdrawn."""

    person_id: UUID
    withdraws_texts: bool
    deleted_at: datetime
