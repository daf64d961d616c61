"""What people ask this service to do."""

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
