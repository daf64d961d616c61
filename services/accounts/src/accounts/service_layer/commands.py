"""Commands of this service."""

from dataclasses import dataclass
from uuid import UUID


@dataclass(frozen=True)
class SignUp:
    """Become a volunteer annotator."""

    user_name: str
    email: str
    password: str
    address: str = "unknown"


@dataclass(frozen=True)
class EnsurePerson:
    """Make sure that a person with this name, password and at least these roles exists."""

    user_name: str
    email: str
    password: str
    roles: tuple[str, ...]
    cohort: str


@dataclass(frozen=True)
class SignIn:
    """Start a session with a password, from an address of the network."""

    user_name: str
    password: str
    address: str = "unknown"


@dataclass(frozen=True)
class SetRoles:
    """Replace a person's roles."""

    actor_id: UUID
    person_id: UUID
    roles: tuple[str, ...]


@dataclass(frozen=True)
class CreateApiToken:
    """Make a credential for a program."""

    person_id: UUID
    name: str


@dataclass(frozen=True)
class RevokeApiToken:
    """End one of one's own API tokens."""

    person_id: UUID
    token_id: UUID


@dataclass(frozen=True)
class ChangeRoles:
    """Give a person roles and take others away."""

    actor_id: UUID
    person_id: UUID
    grant: tuple[str, ...]
    revoke: tuple[str, ...]
    reason: str


@dataclass(frozen=True)
class SetDisabled:
    """Keep a person out, or let them in again."""

    actor_id: UUID
    person_id: UUID
    is_disabled: bool
    reason: str


@dataclass(frozen=True)
class ChangePassword:
    """Have another password; `session_id` is the session that goes on."""

    person_id: UUID
    session_id: UUID | None
    current_password: str
    new_password: str
    language: str


@dataclass(frozen=True)
class AskForNewPassword:
    """Get a link by mail, from an address of the network."""

    email: str
    address: str
    language: str


@dataclass(frozen=True)
class ChooseNewPassword:
    """Have another password by the secret of a link."""

    secret: str
    password: str
    language: str


@dataclass(frozen=True)
class AskForNewEmail:
    """Have another mail address, once it is confirmed."""

    person_id: UUID
    current_password: str
    email: str
    language: str
