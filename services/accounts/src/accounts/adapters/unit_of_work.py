"""The transaction of one command on people, sessions and tokens."""

from datetime import datetime
from typing import Self

from dynabench_common.events.audit import Action, action_taken
from dynabench_common.events.unit_of_work import SqlUnitOfWork
from sqlalchemy import Engine

from accounts.adapters import tables
from accounts.adapters.api_tokens import SqlApiTokens
from accounts.adapters.identities import SqlIdentities
from accounts.adapters.links import SqlLinks
from accounts.adapters.memberships import SqlInvitations, SqlMemberships
from accounts.adapters.nicknames import SqlNicknames
from accounts.adapters.people import SqlPeople
from accounts.adapters.sessions import SqlSessions, SqlSignInFailures
from accounts.adapters.task_requests import SqlTaskRequests
from accounts.mail.queue import SqlMails


class AccountsUnitOfWork(SqlUnitOfWork):
    """One transaction; leaving the block without `commit()` undoes it."""

    def __init__(self, engine: Engine) -> None:
        super().__init__(engine, tables.outbox)

    def __enter__(self) -> Self:
        super().__enter__()
        self.people = SqlPeople(self.connection, self.record)
        self.sessions = SqlSessions(self.connection)
        self.api_tokens = SqlApiTokens(self.connection)
        self.memberships = SqlMemberships(self.connection, self.people.roles_changed)
        self.invitations = SqlInvitations(self.connection)
        self.nicknames = SqlNicknames(self.connection)
        self.task_requests = SqlTaskRequests(self.connection)
        self.identities = SqlIdentities(self.connection)
        self.links = SqlLinks(self.connection)
        self.mails = SqlMails(self.connection)
        self.sign_in_failures = SqlSignInFailures(self.connection)
        return self

    def audit(self, action: Action, at: datetime) -> None:
        """Write an entry of the audit log in the same transaction as the action."""
        self.record([action_taken(action, at)])
