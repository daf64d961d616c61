"""Refusals that a caller branches on. Each carries data; only the HTTP edge knows status codes."""

from dataclasses import dataclass
from datetime import timedelta
from uuid import UUID


class AccountsError(Exception):
    """Base of everything that this service refuses."""


@dataclass(eq=False)
class FieldRefused(AccountsError):
    """A value breaks a rule; names the field, the reason and an acceptable value."""

    field: str
    reason: str
    remedy: str


@dataclass(eq=False)
class AlreadyTaken(AccountsError):
    """Another person has this user name."""

    field: str


class NicknameTaken(AccountsError):
    """Another person has this nickname, or one that looks like it."""


@dataclass(eq=False)
class NicknameHidden(AccountsError):
    """An administrator hid this nickname."""

    reason: str


class TaskRequestOpen(AccountsError):
    """The person's last request for the right to start a task is not answered yet."""


@dataclass(eq=False)
class TaskOwned(AccountsError):
    """Another person owns, or may start, the task with this address."""

    task_slug: str


@dataclass(eq=False)
class RequestedTaskOwned(AccountsError):
    """The request can't be granted: another person owns, or may start, the task with this address."""

    task_slug: str


class TaskRequestNotFound(AccountsError):
    """The person has no open request for the right to start this task."""


class WrongCredentials(AccountsError):
    """User name and password do not belong together; the refusal does not say which of the two is wrong."""


@dataclass(eq=False)
class TooManyTries(AccountsError):
    """Something is closed for a while: from `address`, or without one for the caller alone."""

    retry_after: timedelta
    address: str | None = None


class TooManyFailures(TooManyTries):
    """Sign-in is closed under a user name from an address, or from an address."""


class TooManySignUps(TooManyTries):
    """Signing up from an address is closed."""


class SessionEnded(AccountsError):
    """The refresh token opens nothing: unknown, expired or signed out."""


class RefreshTokenReused(AccountsError):
    """A refresh token came back after its successor was in use; the whole session is ended."""


class ApiTokenRefused(AccountsError):
    """The API token is unknown or revoked."""


@dataclass(eq=False)
class TooManyApiTokens(AccountsError):
    """The person has as many live API tokens as allowed."""

    limit: int


@dataclass(eq=False)
class PersonNotFound(AccountsError):
    """No person has this id."""

    person_id: UUID


@dataclass(eq=False)
class ApiTokenNotFound(AccountsError):
    """The person has no API token with this id."""

    token_id: UUID


@dataclass(eq=False)
class AccountDisabled(AccountsError):
    """An administrator disabled the account; only a person with the right password learns so."""

    reason: str


class AccountNeeded(AccountsError):
    """People of campaigns have no account: no password, mail address, nickname, API token or right to start a task."""


class NotOfCampaign(AccountsError):
    """The person has an account of their own, so no campaign may admit them."""


class WrongCurrentPassword(AccountsError):
    """The given current password is wrong."""


class TooManyPasswordTries(TooManyTries):
    """One's present password was given wrongly too often."""


@dataclass(eq=False)
class CodeNeeded(AccountsError):
    """The password is right, and a code of the second factor must follow, with `challenge`."""

    challenge: str


class SignInStepEnded(AccountsError):
    """The first step of this sign-in is unknown or too long ago."""


@dataclass(eq=False)
class IssuerUnreachable(AccountsError):
    """An issuer does not answer, or with nothing that can be read."""

    issuer: str


@dataclass(eq=False)
class IssuerAnswerRefused(AccountsError):
    """The answer of an issuer is not to be trusted, or the person was not signed in there."""

    issuer: str
    reason: str


class IssuerNotFound(AccountsError):
    """No issuer has this name."""


class IdentityNotFound(AccountsError):
    """The account is not linked to this issuer."""


class IdentityTaken(AccountsError):
    """Another account is linked to this person of the issuer."""


class LastWayIn(AccountsError):
    """The account could not be signed in to any more."""


class SignInAgain(AccountsError):
    """The person has no password, and signed in too long ago."""


class WrongCode(AccountsError):
    """The code of the second factor is wrong or was used before."""


class TooManyCodes(TooManyTries):
    """Too many codes of a person were wrong."""


class SecondFactorOn(AccountsError):
    """The account has a second factor already."""


class SecondFactorOff(AccountsError):
    """The account has no second factor."""


@dataclass(eq=False)
class SessionNotFound(AccountsError):
    """The person has no running session with this id."""

    session_id: UUID


class TooManyResets(TooManyTries):
    """Asking for mails is closed, from an address or for a mail address from it."""


class InvitationNotFound(AccountsError):
    """No invitation has this id or secret."""


class InvitationWithdrawn(AccountsError):
    """An owner withdrew the invitation."""


class InvitationExpired(AccountsError):
    """The last day of the invitation has passed."""


class InvitationUsedUp(AccountsError):
    """The invitation was used as often as it may be."""


@dataclass(eq=False)
class TooManyMembers(AccountsError):
    """A task has as many members or invitations, or a group as many people, as allowed."""

    limit: int


@dataclass(eq=False)
class GroupNotFound(AccountsError):
    """The owner has no group with this id."""

    group_id: UUID


@dataclass(eq=False)
class GroupNameTaken(AccountsError):
    """The owner has another group with this name."""

    name: str


class OwnAdministration(AccountsError):
    """People can't disable themselves or remove their own administrator role."""


@dataclass(eq=False)
class LastAdministrator(AccountsError):
    """No administrator of the platform would be left."""

    name: str
