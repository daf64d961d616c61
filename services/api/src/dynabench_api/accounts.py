"""People, their tokens and the audit log, from the accounts service."""

from datetime import datetime
from typing import Any

from pydantic import Field

from dynabench_api.base import Id, Page, Record
from dynabench_api.words import TaskRequestState


class PersonAnswer(Record):
    """A person, without the mail address."""

    person_id: Id
    user_name: str
    roles: tuple[str, ...]
    cohort: str
    registered_at: datetime

    @property
    def is_admin(self) -> bool:
        """Return whether the person administers the platform."""
        return "admin" in self.roles

    def owns(self, task_slug: str) -> bool:
        """Return whether the person owns the task."""
        return f"owner:{task_slug}" in self.roles


class NicknameAnswer(Record):
    """A person's nickname, by which others see them."""

    person_id: Id
    nickname: str


class NicknamesAnswer(Record):
    """The nicknames of some people."""

    items: tuple[NicknameAnswer, ...]


class OwnNicknameAnswer(Record):
    """The caller's nickname."""

    nickname: str | None = Field(description="Null if the caller has chosen none")
    hidden_reason: str = Field(description="An administrator's reason for hiding it; empty while it is shown")


class NicknameReportAnswer(NicknameAnswer):
    """A reported nickname."""

    reports: int = Field(description="Number of people who reported it")
    reason: str = Field(description="The newest reason")


class NicknameReportsAnswer(Record):
    """The reported nicknames, those with most reports first."""

    items: tuple[NicknameReportAnswer, ...]


class HiddenNicknameAnswer(NicknameAnswer):
    """A nickname that an administrator hides."""

    reason: str = Field(description="The administrator's reason")


class HiddenNicknamesAnswer(Page[HiddenNicknameAnswer]):
    """A page of hidden nicknames."""


class TaskRequestAnswer(Record):
    """A request for the right to start a task."""

    task_slug: str = Field(description="Address of the task")
    reason: str
    asked_at: datetime
    state: TaskRequestState
    answer: str = Field(description="An administrator's answer; empty while the request is open")


class OwnTaskRequestAnswer(Record):
    """The caller's last request for the right to start a task."""

    request: TaskRequestAnswer | None = Field(description="Null if the caller has never asked")


class OpenTaskRequestAnswer(TaskRequestAnswer):
    """An open request, with the person who asks."""

    person_id: Id
    user_name: str


class OpenTaskRequestsAnswer(Record):
    """The open requests for the right to start a task, oldest first."""

    items: tuple[OpenTaskRequestAnswer, ...]


class NamedPersonAnswer(Record):
    """A person by user name."""

    person_id: Id
    user_name: str


class NamedPeopleAnswer(Record):
    """People by their user names."""

    items: tuple[NamedPersonAnswer, ...]


class OwnerAnswer(NamedPersonAnswer):
    """An owner of a task."""


class OwnersAnswer(Record):
    """The owners of a task, by name."""

    items: tuple[OwnerAnswer, ...]


class MemberAnswer(OwnerAnswer):
    """A member of a task."""

    added_at: datetime


class MembersAnswer(Record):
    """The members of a task, by name."""

    items: tuple[MemberAnswer, ...]


class GroupAnswer(Record):
    """A group of people."""

    group_id: Id
    name: str
    people: int = Field(description="Number of people")


class GroupsAnswer(Record):
    """Groups, by name."""

    items: tuple[GroupAnswer, ...]


class NewGroupAnswer(Record):
    """The id of a new group."""

    group_id: Id


class GroupPeopleAnswer(Record):
    """A group with its people by name."""

    group_id: Id
    name: str
    people: tuple[OwnerAnswer, ...]


class InvitationAnswer(Record):
    """An invitation to a task, without its secret."""

    invitation_id: Id
    made_at: datetime
    expires_at: datetime
    most_uses: int = Field(description="Number of people whom it lets in")
    uses: int = Field(description="Number of people who used it")
    withdrawn_at: datetime | None = Field(description="Null unless an owner withdrew it")


class NewInvitationAnswer(InvitationAnswer):
    """A new invitation with its secret."""

    secret: str


class InvitationsAnswer(Record):
    """The invitations of a task, newest first."""

    items: tuple[InvitationAnswer, ...]


class InvitedAnswer(Record):
    """The task that an invitation is for."""

    task_slug: str


class AccessAnswer(Record):
    """An access token and its person."""

    access_token: str
    expires_in: int = Field(description="Seconds")
    person: PersonAnswer


class SecondFactorAnswer(Record):
    """The caller's second factor."""

    is_on: bool
    is_missing: bool = Field(description="True if roles of the caller do not count without a second factor")
    recovery_codes: int = Field(description="Number of recovery codes that are left")


class AppSetupAnswer(Record):
    """The secret for an authenticator app. It counts once a code confirms it."""

    secret: str = Field(description="Secret for the app, in Base32")
    uri: str = Field(description="The same for a QR code, as an `otpauth:` URI")


class RecoveryCodesAnswer(Record):
    """Recovery codes. Only this answer contains them; each works once in place of a code of the app."""

    codes: tuple[str, ...]


class OwnSessionAnswer(Record):
    """A running session of the caller."""

    session_id: Id
    device: str = Field(description="Browser and system that started it; empty if unknown")
    started_at: datetime
    last_used_at: datetime = Field(description="Last use, to 15 minutes")
    is_current: bool


class OwnSessionsAnswer(Record):
    """The caller's running sessions: the current one, then those used last."""

    items: tuple[OwnSessionAnswer, ...]


class IssuerAnswer(Record):
    """An issuer that people can sign in with."""

    name: str
    title: str


class IssuersAnswer(Record):
    """The issuers of sign-ins."""

    items: tuple[IssuerAnswer, ...]


class IssuerStartAnswer(Record):
    """The start of a sign-in at an issuer."""

    url: str = Field(description="Page of the issuer that asks the person to sign in")
    secret: str = Field(description="Secret that the browser keeps until the issuer sends it back")


class LinkedIssuerAnswer(IssuerAnswer):
    """An issuer that the caller has linked."""

    linked_at: datetime
    last_used_at: datetime


class WaysInAnswer(Record):
    """The ways by which the caller can sign in."""

    has_password: bool
    issuers: tuple[LinkedIssuerAnswer, ...]


class EndedSessionsAnswer(Record):
    """Ended sessions, and people with new roles. Earlier access tokens are no longer accepted."""

    session_ids: tuple[str, ...]
    roles_versions: dict[str, int] = Field(
        description="Present version of the roles of each person whose roles changed, by `person_id`"
    )


class ApiTokenAnswer(Record):
    """An API token without its text."""

    token_id: Id
    name: str
    created_at: datetime
    last_used_at: datetime | None
    revoked_at: datetime | None


class NewApiTokenAnswer(ApiTokenAnswer):
    """A new API token with its text. Only this answer contains the text."""

    token: str


class ApiTokensAnswer(Page[ApiTokenAnswer]):
    """A page of API tokens."""


class JwksAnswer(Record):
    """Public keys (RFC 7517)."""

    keys: tuple[dict[str, Any], ...]


class ListedPersonAnswer(PersonAnswer):
    """A person as administrators see them in a list."""

    email: str
    disabled_at: datetime | None = Field(
        description="Time when an administrator disabled the account; null if enabled"
    )


class KnownPersonAnswer(ListedPersonAnswer):
    """A person's account."""

    disabled_by: Id | None
    disabled_by_name: str | None
    disabled_reason: str | None
    has_second_factor: bool
    sessions: int = Field(description="Number of signed-in browsers")
    api_tokens: int = Field(description="Number of API tokens that are not revoked")
    last_seen_at: datetime | None = Field(
        description="Last use of a session (to 15 minutes) or of an API token; null after a month without use"
    )


class PeopleAnswer(Page[ListedPersonAnswer]):
    """A page of people."""


class PeopleCountsAnswer(Record):
    """The number of accounts."""

    people: int
    administrators: int = Field(description="Number of administrators, without disabled ones")
    disabled: int
    new: int = Field(description="Number of sign-ups within the last seven days")


class EmailAnswer(Record):
    """The caller's mail address."""

    email: str


class NewPasswordAnswer(Record):
    """The person after a password change. All sessions have ended."""

    person: PersonAnswer
    api_tokens: tuple[ApiTokenAnswer, ...] = Field(
        description="The person's API tokens. They stay valid: revoke those you do not know"
    )


class MailCountsAnswer(Record):
    """The state of mail delivery."""

    waiting: int = Field(description="Number of mails to send or to retry")
    oldest_at: datetime | None = Field(description="Creation time of the oldest waiting mail")
    trouble: str | None = Field(description="Error of the last attempt to send that mail")
    given_up: int = Field(
        description="Number of mails abandoned in the last days: refused permanently, or too late to be useful"
    )


class AuditEntryAnswer(Record):
    """An entry of the audit log: the person, the action, its object and the reason."""

    entry_id: Id
    actor_id: Id | None = Field(description="Null if the platform acted")
    actor_name: str | None = Field(
        description="User name of the actor. Administrators see all names; owners see only those of owners and "
        "administrators"
    )
    action: str = Field(description="For example `round.closed` or `example.adjudicated`")
    object_kind: str
    object_id: Id
    task_slug: str
    round_id: Id | None
    reason: str
    details: dict[str, Any]
    taken_at: datetime


class AuditAnswer(Page[AuditEntryAnswer]):
    """A page of the audit log."""
