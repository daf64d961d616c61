"""API tokens and sessions of a person, and the sessions and tokens that ended lately."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from dynabench_common.auth.authentication import Ended
from sqlalchemy import Engine, RowMapping, Text, cast, func, select, union_all

from accounts.adapters.access_tokens import LIFETIME_SECONDS
from accounts.adapters.tables import api_token, identity, person, refresh_token, role_change, session
from accounts.domain.person import NO_PASSWORD

API_TOKEN_COLUMNS = (
    api_token.c.token_id,
    api_token.c.name,
    api_token.c.created_at,
    api_token.c.last_used_at,
    api_token.c.revoked_at,
)


@dataclass(frozen=True)
class ApiTokenRecord:
    """An API token as its owner sees it, without its text."""

    token_id: UUID
    name: str
    created_at: datetime
    last_used_at: datetime | None
    revoked_at: datetime | None


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


@dataclass(frozen=True)
class SessionRecord:
    """A running session as its owner sees it."""

    session_id: UUID
    device: str
    started_at: datetime
    last_used_at: datetime
    is_current: bool


def running_sessions(
    engine: Engine, person_id: UUID, current: str, now: datetime, limit: int
) -> Sequence[SessionRecord]:
    """Return a person's running sessions: the current one, then those used last, at most `limit`.

    A session renews its token at use, every 15 minutes at most.
    """
    last_used, is_current = func.max(refresh_token.c.issued_at), cast(session.c.session_id, Text) == current
    statement = (
        select(
            session.c.session_id,
            session.c.device,
            session.c.started_at,
            last_used.label("last_used_at"),
            is_current.label("is_current"),
        )
        .join(refresh_token)
        .where(session.c.person_id == person_id, session.c.ended_at.is_(None), session.c.expires_at > now)
        .group_by(session.c.session_id)
        .order_by(is_current.desc(), last_used.desc())
        .limit(limit)
    )
    with engine.connect() as connection:
        return [SessionRecord(**row._mapping) for row in connection.execute(statement)]


def ways_in(engine: Engine, person_id: UUID) -> tuple[bool, Sequence[RowMapping]]:
    """Return whether a person has a password, and the issuers that they have linked, used last first."""
    secret = select(person.c.password_hash).where(person.c.person_id == person_id)
    linked = (
        select(identity.c.issuer, identity.c.linked_at, identity.c.last_used_at)
        .where(identity.c.person_id == person_id)
        .order_by(identity.c.last_used_at.desc())
    )
    with engine.connect() as connection:
        has_password = connection.scalar(secret) not in (None, "", NO_PASSWORD)
        return has_password, connection.execute(linked).mappings().all()


def ended_sessions(engine: Engine, now: datetime) -> Ended:
    """Return the credentials that ended within an access token's lifetime, and whose roles changed within it.

    These are sessions, revoked API tokens, and all API tokens of people who were disabled within it.
    """
    since = now - timedelta(seconds=LIFETIME_SECONDS)
    ended = select(session.c.session_id).where(session.c.ended_at > since)
    revoked = select(api_token.c.token_id).where(api_token.c.revoked_at > since)
    disabled = select(api_token.c.token_id).join(person).where(person.c.disabled_at > since)
    changed = select(role_change).where(role_change.c.changed_at > since)
    with engine.connect() as connection:
        return Ended(
            frozenset(map(str, connection.scalars(union_all(ended, revoked, disabled)))),
            {str(row.person_id): row.version for row in connection.execute(changed)},
        )
