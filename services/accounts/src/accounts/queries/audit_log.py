"""Entries of the audit log."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from sqlalchemy import Engine, RowMapping, Text, and_, literal, select, tuple_
from sqlalchemy.dialects.postgresql import array

from accounts.adapters.tables import audit_entry, person
from accounts.domain.roles import ADMIN, owner_role


@dataclass(frozen=True)
class AuditFilter:
    """Conditions on entries of the audit log; None matches all."""

    task_slug: str | None
    round_id: UUID | None
    object_id: UUID | None


def audit_log(
    engine: Engine,
    wanted: AuditFilter,
    limit: int,
    after: tuple[datetime, UUID] | None = None,
    *,
    names_everybody: bool,
) -> Sequence[RowMapping]:
    """Return entries of the audit log with their actors' names, newest first, at most `limit`.

    `after` is the moment and the id of the entry that the page before ended with. Without `names_everybody` only
    owners of the entry's task and administrators are named, so that no annotator is.
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
        moment, entry_id = after
        statement = statement.where(
            place < tuple_(literal(moment, entry.taken_at.type), literal(entry_id, entry.entry_id.type))
        )
    with engine.connect() as connection:
        return [row._mapping for row in connection.execute(statement)]
