"""API tokens in PostgreSQL."""

from uuid import UUID

from sqlalchemy import ColumnElement, Connection, func, insert, select, update

from accounts.adapters import tables
from accounts.domain.api_token import ApiToken
from accounts.domain.errors import ApiTokenNotFound

TABLE = tables.api_token


class SqlApiTokens:
    """Finds tokens by digest, and a person's own by id."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def add(self, token: ApiToken) -> None:
        """Insert a token."""
        self._connection.execute(
            insert(TABLE).values(
                token_id=token.token_id,
                person_id=token.person_id,
                name=token.name,
                digest=token.digest,
                created_at=token.created_at,
                last_used_at=token.last_used_at,
                revoked_at=token.revoked_at,
            )
        )

    def find_by_digest(self, digest: bytes) -> ApiToken | None:
        """Return the token with this digest, revoked or not."""
        return self._find(TABLE.c.digest == digest)

    def get(self, token_id: UUID, person_id: UUID) -> ApiToken:
        """Return a person's token. Raises ApiTokenNotFound, for someone else's too."""
        token = self._find(TABLE.c.token_id == token_id, TABLE.c.person_id == person_id)
        if token is None:
            raise ApiTokenNotFound(token_id)
        return token

    def count_live(self, person_id: UUID) -> int:
        """Count the tokens of a person that are not revoked."""
        statement = select(func.count()).where(TABLE.c.person_id == person_id, TABLE.c.revoked_at.is_(None))
        return self._connection.scalar(statement) or 0

    def live_of(self, person_id: UUID) -> list[ApiToken]:
        """Return a person's tokens that are not revoked, newest first."""
        live = select(TABLE).where(TABLE.c.person_id == person_id, TABLE.c.revoked_at.is_(None))
        rows = self._connection.execute(live.order_by(TABLE.c.token_id.desc()))
        return [ApiToken(**row._mapping) for row in rows]

    def save(self, token: ApiToken) -> None:
        """Write what can change; a revocation that came in between stands."""
        self._connection.execute(
            update(TABLE)
            .where(TABLE.c.token_id == token.token_id)
            .values(
                last_used_at=token.last_used_at,
                revoked_at=func.coalesce(TABLE.c.revoked_at, token.revoked_at),
            )
        )

    def _find(self, *conditions: ColumnElement[bool]) -> ApiToken | None:
        row = self._connection.execute(select(TABLE).where(*conditions)).one_or_none()
        return None if row is None else ApiToken(**row._mapping)
