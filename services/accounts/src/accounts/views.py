"""Reads: SQL to plain records."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from sqlalchemy import Engine, RowMapping, Text, and_, literal, select, tuple_, union_all
from sqlalchemy.dialects.postgresql import array

from accounts.adapters.access_tokens import LIFETIME_SECONDS
from accounts.adapters.tables import api_token, audit_entry, person, session
from accounts.domain.errors import PersonNotFound
from accounts.domain.roles import ADMIN, owner_role


@dataclass(frozen=True)
class PersonRecord:
    """A person as others may see them."""

    person_id: UUID
    user_name: str
    roles: list[str]
    cohort: str
    registered_at: datetime


@dataclass(frozen=True)
class OwnerRecord:
    """A person who looks after a task."""

    person_id: UUID
    user_name: str


@dataclass(frozen=True)
class ApiTokenRecord:
    """An API token as its owner sees it, without its text."""

    token_id: UUID
    name: str
    created_at: datetime
    last_used_at: datetime | None
    revoked_at: datetime | None


@dataclass(frozen=True)
class AuditFilter:
    """Conditions on entries of the audit log; None matches all."""

    task_slug: str | None
    round_id: UUID | None
    object_id: UUID | None


PERSON_COLUMNS = (
    person.c.person_id,
    person.c.user_name,
    person.c.roles,
    person.c.cohort,
    person.c.registered_at,
)
API_TOKEN_COLUMNS = (
    api_token.c.token_id,
    api_token.c.name,
    api_token.c.created_at,
    api_token.c.last_used_at,
    api_token.c.revoked_at,
)


def person_record(engine: Engine, person_id: UUID) -> PersonRecord:
    """Return a person. Raises PersonNotFound."""
    with engine.connect() as connection:
        row = connection.execute(select(*PERSON_COLUMNS).where(person.c.person_id == person_id)).one_or_none()
    if row is None:
        raise PersonNotFound(person_id)
    return PersonRecord(**row._mapping)


def owners(engine: Engine, slug: str, limit: int) -> Sequence[OwnerRecord]:
    """Return the owners of a task by name, at most `limit`."""
    statement = (
        select(person.c.person_id, person.c.user_name)
        .where(person.c.roles.contains([owner_role(slug)]))
        .order_by(person.c.user_name)
        .limit(limit)
    )
    with engine.connect() as connection:
        return [OwnerRecord(**row._mapping) for row in connection.execute(statement)]


def ended_sessions(engine: Engine, now: datetime) -> frozenset[str]:
    """Return what ended within the life of an access token: sessions, API tokens, and all those of who is disabled."""
    since = now - timedelta(seconds=LIFETIME_SECONDS)
    ended = select(session.c.session_id).where(session.c.ended_at > since)
    revoked = select(api_token.c.token_id).where(api_token.c.revoked_at > since)
    disabled = select(api_token.c.token_id).join(person).where(person.c.disabled_at > since)
    with engine.connect() as connection:
        return frozenset(map(str, connection.scalars(union_all(ended, revoked, disabled))))


def api_tokens(
    engine: Engine, person_id: UUID, limit: int, before: UUID | None = None
) -> Sequence[ApiTokenRecord]:
    """Return a person's API tokens, newest first, at most `limit`."""
    statement = (
        select(*API_TOKEN_COLUMNS)
        .where(api_token.c.person_id == person_id)
        .order_by(api_token.c.token_id.desc())
        .limit(limit)
    )
    if before is not None:
        statement = statement.where(api_token.c.token_id < before)
    with engine.connect() as connection:
        return [ApiTokenRecord(**row._mapping) for row in connection.execute(statement)]


def audit_log(
    engine: Engine, wanted: AuditFilter, limit: int, after: UUID | None = None, *, names_everybody: bool
) -> Sequence[RowMapping]:
    """Return entries of the audit log with their actors' names, newest first, at most `limit`.

    `after` is the entry that the page before ended with. Without `names_everybody` only owners of the entry's task
    and administrators are named, so that no annotator is.
    """
    entry = audit_entry.c
    place = tuple_(entry.taken_at, entry.entry_id)
    may_act = person.c.roles.overlap(array([literal(ADMIN, Text), owner_role("") + entry.task_slug]))
    is_actor = person.c.person_id == entry.actor_id
    statement = (
        select(audit_entry, person.c.user_name.label("actor_name"))
        .join(person, is_actor if names_everybody else and_(is_actor, may_act), isouter=True)
        .order_by(entry.taken_at.desc(), entry.entry_id.desc())
        .limit(limit)
    )
    if wanted.task_slug is not None:
        statement = statement.where(entry.task_slug == wanted.task_slug)
    if wanted.round_id is not None:
        statement = statement.where(entry.round_id == wanted.round_id)
    if wanted.object_id is not None:
        statement = statement.where(entry.object_id == wanted.object_id)
    if after is not None:
        last = select(entry.taken_at, entry.entry_id).where(entry.entry_id == after)
        statement = statement.where(place < last.scalar_subquery())
    with engine.connect() as connection:
        return [row._mapping for row in connection.execute(statement)]
