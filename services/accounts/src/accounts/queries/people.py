"""People as others and administrators see them."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from sqlalchemy import Engine, Executable, RowMapping, func, or_, select
from sqlalchemy.dialects.postgresql import aggregate_order_by

from accounts.adapters.tables import api_token, nickname, nickname_report, person, refresh_token, session
from accounts.domain.errors import PersonNotFound
from accounts.domain.roles import ADMIN, owner_role

LATELY = timedelta(days=7)
PERSON_COLUMNS = (
    person.c.person_id,
    person.c.user_name,
    person.c.roles,
    person.c.cohort,
    person.c.registered_at,
)
LISTED = (*PERSON_COLUMNS, person.c.email, person.c.disabled_at)


@dataclass(frozen=True)
class PeopleFilter:
    """Conditions on people; None matches all. `search` is part of a user name or mail address, in any case."""

    user_name: str | None
    search: str | None


def public_person(engine: Engine, person_id: UUID) -> RowMapping:
    """Return a person as others may see them. Raises PersonNotFound."""
    found = _rows(engine, select(*PERSON_COLUMNS).where(person.c.person_id == person_id))
    if not found:
        raise PersonNotFound(person_id)
    return found[0]


def owners(engine: Engine, slug: str, limit: int) -> Sequence[RowMapping]:
    """Return the owners of a task by name, at most `limit`."""
    statement = (
        select(person.c.person_id, person.c.user_name)
        .where(person.c.roles.contains([owner_role(slug)]))
        .order_by(person.c.user_name)
        .limit(limit)
    )
    return _rows(engine, statement)


def named(engine: Engine, user_names: Sequence[str]) -> Sequence[RowMapping]:
    """Return the people with these user names who are not disabled, by name."""
    statement = (
        select(person.c.person_id, person.c.user_name)
        .where(person.c.user_name.in_(user_names), person.c.disabled_at.is_(None))
        .order_by(person.c.user_name)
    )
    return _rows(engine, statement)


def people(engine: Engine, wanted: PeopleFilter, limit: int, after: UUID | None) -> Sequence[RowMapping]:
    """Return people in the order they signed up, at most `limit`."""
    statement = select(*LISTED).order_by(person.c.person_id).limit(limit)
    if after is not None:
        statement = statement.where(person.c.person_id > after)
    if wanted.user_name is not None:
        statement = statement.where(person.c.user_name == wanted.user_name)
    if wanted.search is not None and wanted.search.strip():
        part = wanted.search.strip().lower()
        found_by = (person.c.user_name, person.c.email_key)
        statement = statement.where(or_(*(column.contains(part, autoescape=True) for column in found_by)))
    return _rows(engine, statement)


def known_person(engine: Engine, person_id: UUID, now: datetime) -> RowMapping:
    """Return what is known of a person. Raises PersonNotFound."""
    by = person.alias("by")
    sessions = select(func.count()).where(
        session.c.person_id == person_id, session.c.ended_at.is_(None), session.c.expires_at > now
    )
    tokens = select(func.count()).where(api_token.c.person_id == person_id, api_token.c.revoked_at.is_(None))
    renewed = (
        select(func.max(refresh_token.c.issued_at)).join(session).where(session.c.person_id == person_id)
    )
    used = select(func.max(api_token.c.last_used_at)).where(api_token.c.person_id == person_id)
    statement = (
        select(*LISTED, person.c.disabled_by, person.c.disabled_reason)
        .add_columns(
            by.c.user_name.label("disabled_by_name"),
            person.c.app_confirmed_at.is_not(None).label("has_second_factor"),
            sessions.scalar_subquery().label("sessions"),
            tokens.scalar_subquery().label("api_tokens"),
            func.greatest(renewed.scalar_subquery(), used.scalar_subquery()).label("last_seen_at"),
        )
        .join(by, by.c.person_id == person.c.disabled_by, isouter=True)
        .where(person.c.person_id == person_id)
    )
    found = _rows(engine, statement)
    if not found:
        raise PersonNotFound(person_id)
    return found[0]


def people_counts(engine: Engine, now: datetime) -> RowMapping:
    """Count people; `new` are those who signed up within seven days."""
    is_enabled = person.c.disabled_at.is_(None)
    statement = select(
        func.count().label("people"),
        func.count().filter(person.c.roles.contains([ADMIN]), is_enabled).label("administrators"),
        func.count().filter(person.c.disabled_at.is_not(None)).label("disabled"),
        func.count().filter(person.c.registered_at > now - LATELY).label("new"),
    )
    return _rows(engine, statement)[0]


def nicknames(engine: Engine, person_ids: Sequence[UUID]) -> Sequence[RowMapping]:
    """Return the shown nicknames of people who chose one."""
    columns = nickname.c
    statement = select(columns.person_id, columns.text.label("nickname")).where(
        columns.person_id.in_(person_ids), columns.hidden_reason == ""
    )
    return _rows(engine, statement)


def own_nickname(engine: Engine, person_id: UUID) -> RowMapping | None:
    """Return a person's nickname and why it is hidden, if they chose one."""
    columns = nickname.c
    found = _rows(
        engine,
        select(columns.text.label("nickname"), columns.hidden_reason).where(columns.person_id == person_id),
    )
    return found[0] if found else None


def nickname_reports(engine: Engine, limit: int) -> Sequence[RowMapping]:
    """Return the reported nicknames, those with most reports first, each with its newest reason."""
    report = nickname_report.c
    newest = func.array_agg(aggregate_order_by(report.reason, report.reported_at.desc()))
    statement = (
        select(
            nickname.c.person_id,
            nickname.c.text.label("nickname"),
            func.count().label("reports"),
            newest[1].label("reason"),
        )
        .join_from(nickname, nickname_report, report.person_id == nickname.c.person_id)
        .group_by(nickname.c.person_id, nickname.c.text)
        .order_by(func.count().desc(), nickname.c.person_id)
        .limit(limit)
    )
    return _rows(engine, statement)


def hidden_nicknames(engine: Engine, limit: int, after: UUID | None) -> Sequence[RowMapping]:
    """Return the hidden nicknames in the order their people signed up, at most `limit`, each with the reason."""
    columns = nickname.c
    statement = (
        select(columns.person_id, columns.text.label("nickname"), columns.hidden_reason.label("reason"))
        .where(columns.hidden_reason != "")
        .order_by(columns.person_id)
        .limit(limit)
    )
    if after is not None:
        statement = statement.where(columns.person_id > after)
    return _rows(engine, statement)


def second_factor_of(engine: Engine, person_id: UUID) -> RowMapping:
    """Return whether a person has a second factor, and the number of recovery codes. Raises PersonNotFound."""
    statement = select(
        person.c.app_confirmed_at.is_not(None).label("is_on"),
        func.coalesce(func.cardinality(person.c.recovery_digests), 0).label("recovery_codes"),
    ).where(person.c.person_id == person_id)
    found = _rows(engine, statement)
    if not found:
        raise PersonNotFound(person_id)
    return found[0]


def email_of(engine: Engine, person_id: UUID) -> str:
    """Return a person's own mail address. Raises PersonNotFound."""
    found = _rows(engine, select(person.c.email).where(person.c.person_id == person_id))
    if not found:
        raise PersonNotFound(person_id)
    return str(found[0]["email"])


def _rows(engine: Engine, statement: Executable) -> Sequence[RowMapping]:
    with engine.connect() as connection:
        return connection.execute(statement).mappings().all()
