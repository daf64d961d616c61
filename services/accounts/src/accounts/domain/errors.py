"""Refusals that a caller branches on. Each carries data; only the HTTP edge knows status codes."""

from datetime import timedelta
from uuid import UUID


class AccountsError(Exception):
    """Base of everything that this service refuses."""


class FieldRefused(AccountsError):
    """A value breaks a rule: which field, why, and what would do."""

    def __init__(self, field: str, reason: str, remedy: str) -> None:
        super().__init__(f"{field}: {reason}")
        self.field = field
        self.reason = reason
        self.remedy = remedy


class AlreadyTaken(AccountsError):
    """Another person has this user name."""

    def __init__(self, field: str) -> None:
        super().__init__(field)
        self.field = field


class WrongCredentials(AccountsError):
    """User name and password do not belong together; the refusal does not say which of the two is wrong."""


class TooManyTries(AccountsError):
    """Something is closed for a while: from `address`, or without one for the asker alone."""

    def __init__(self, retry_after: timedelta, address: str | None = None) -> None:
        super().__init__(f"closed for {retry_after}")
        self.retry_after = retry_after
        self.address = address


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


class TooManyApiTokens(AccountsError):
    """The person holds as many live API tokens as one may."""

    def __init__(self, limit: int) -> None:
        super().__init__(str(limit))
        self.limit = limit


class PersonNotFound(AccountsError):
    """No person has this id."""

    def __init__(self, person_id: UUID) -> None:
        super().__init__(str(person_id))
        self.person_id = person_id


class ApiTokenNotFound(AccountsError):
    """The person has no API token with this id."""

    def __init__(self, token_id: UUID) -> None:
        super().__init__(str(token_id))
        self.token_id = token_id


class AccountDisabled(AccountsError):
    """An administrator disabled the account; only a person with the right password learns so."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class WrongCurrentPassword(AccountsError):
    """The given current password is wrong."""


class TooManyPasswordTries(TooManyTries):
    """One's present password was given wrongly too often."""


class TooManyResets(TooManyTries):
    """Asking for mails is closed, from an address or for a mail address from it."""


class LinkEnded(AccountsError):
    """The link of a mail is unknown, was used, or has expired."""


class OwnAdministration(AccountsError):
    """Nobody takes the administrator's role from themselves, or disables themselves."""


class LastAdministrator(AccountsError):
    """Nobody would be left who may administer the platform."""

    def __init__(self, user_name: str) -> None:
        super().__init__(user_name)
        self.user_name = user_name


class MailRefused(AccountsError):
    """Nobody took a mail; `for_good` where no later attempt will do better."""

    def __init__(self, reason: str, *, for_good: bool = False) -> None:
        super().__init__(reason)
        self.for_good = for_good
