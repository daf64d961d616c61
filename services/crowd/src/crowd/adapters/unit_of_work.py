"""The transaction of one command on campaigns, assignments and money."""

from datetime import datetime
from typing import Self
from uuid import UUID

from dynabench_common.events.audit import Action, action_taken
from dynabench_common.events.unit_of_work import SqlUnitOfWork
from dynabench_common.http.idempotency import Replies
from dynabench_common.work.locks import try_lock
from sqlalchemy import Engine, text

from crowd.adapters import tables
from crowd.adapters.assignments import SqlAssignments
from crowd.adapters.campaigns import SqlCampaigns
from crowd.adapters.ledger import Ledger
from crowd.adapters.payments import Payments
from crowd.adapters.reviews import SqlReviews
from crowd.adapters.rounds import SqlRounds
from crowd.domain.errors import ChangeUnderWay

LONGER_IDLE = text("SET LOCAL idle_in_transaction_session_timeout = '5min'")
"""Longer than the calls of a platform for one change."""


class UnitOfWork(SqlUnitOfWork):
    """Repositories that share one transaction with the outbox.

    Locks are taken in one order: the campaign, then assignments in the order of their ids.
    """

    def __init__(self, engine: Engine) -> None:
        super().__init__(engine, tables.outbox)

    def __enter__(self) -> Self:
        super().__enter__()
        self.campaigns = SqlCampaigns(self.connection, self.record)
        self.assignments = SqlAssignments(self.connection, self.record)
        self.reviews = SqlReviews(self.connection)
        self.rounds = SqlRounds(self.connection)
        self.ledger = Ledger(self.connection)
        self.payments = Payments(self.connection)
        self.replies = Replies(self.connection, tables.idempotency)
        return self

    def exclude_others(self, changed_id: UUID) -> None:
        """Refuse other commands that call this for the same id, until this transaction ends. Raises ChangeUnderWay.

        Such a transaction stays open while another one changes rows, so that nobody waits for a call of a platform.
        """
        self.connection.execute(LONGER_IDLE)
        if not try_lock(self.connection, "change", changed_id):
            raise ChangeUnderWay

    def audit(self, action: Action, at: datetime) -> None:
        """Write an entry of the audit log in the same transaction as the action."""
        self.record([action_taken(action, at)])
