"""Calls to submitters' addresses: those that wait, in PostgreSQL, and the sending of one."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from dynabench_common.http.webhook_client import AddressRefused, DeliveryFailed, Outgoing
from sqlalchemy import Engine, text

from registry.adapters.tables import webhook_call
from registry.domain.errors import CallFailed, WebhookRefused

TAKE = text(
    "UPDATE webhook_call SET attempts = attempts + 1, due_at = :held_until WHERE id = ("
    " SELECT id FROM webhook_call WHERE ended_at IS NULL AND due_at <= :now"
    " ORDER BY id LIMIT 1 FOR UPDATE SKIP LOCKED)"
    " RETURNING id, body, attempts, submission_id"
)
ADDRESS = text("SELECT webhook_url, webhook_secret FROM submission WHERE submission_id = :submission_id")
LONGEST_OUTCOME = 500


@dataclass(frozen=True)
class DueCall:
    """A call that is due."""

    id: int
    url: str
    secret: str
    body: Mapping[str, Any]
    attempts: int


class SqlCalls:
    """The calls that wait."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def take(self, now: datetime, hold_seconds: float) -> DueCall | None:
        """Return the oldest due call, kept from others for so long."""
        with self._engine.begin() as connection:
            given = {"now": now, "held_until": now + timedelta(seconds=hold_seconds)}
            row = connection.execute(TAKE, given).one_or_none()
            if row is None:
                return None
            address = connection.execute(ADDRESS, {"submission_id": row.submission_id}).one()
        return DueCall(row.id, address.webhook_url, address.webhook_secret, row.body, row.attempts)

    def end(self, call: DueCall, now: datetime, outcome: str) -> None:
        """Note how it ended."""
        self._write(call, ended_at=now, outcome=outcome[:LONGEST_OUTCOME])

    def try_again(self, call: DueCall, due_at: datetime, outcome: str) -> None:
        """Note what went wrong, and when to try again."""
        self._write(call, due_at=due_at, outcome=outcome[:LONGEST_OUTCOME])

    def _write(self, call: DueCall, **values: Any) -> None:
        with self._engine.begin() as connection:
            connection.execute(webhook_call.update().where(webhook_call.c.id == call.id).values(values))


class WebhookSender:
    """Checks submitters' addresses, and sends to them."""

    def __init__(self, outgoing: Outgoing) -> None:
        self._outgoing = outgoing

    def check(self, address: str) -> None:
        """Raise WebhookRefused unless the address may be called."""
        try:
            self._outgoing.check(address)
        except AddressRefused as err:
            raise WebhookRefused(str(err)) from err

    def __call__(self, url: str, secret: str, body: Mapping[str, Any]) -> None:
        """Send a signed body. Raises CallFailed."""
        try:
            self._outgoing.deliver(url, secret, json.dumps(body, sort_keys=True).encode())
        except AddressRefused as err:
            raise CallFailed(str(err), is_final=True) from err
        except DeliveryFailed as err:
            raise CallFailed(str(err), is_final=err.is_final) from err
