"""Identities of people at issuers of sign-ins (OpenID Connect)."""

from dataclasses import dataclass, field
from datetime import datetime
from uuid import UUID


@dataclass
class Identity:
    """The person whom an issuer names by `subject`, and the roles that it gave at the last sign-in.

    `issuer` is the issuer's address. Names and mail addresses at the issuer may change; the subject does not.
    """

    issuer: str
    subject: str
    person_id: UUID
    linked_at: datetime
    last_used_at: datetime
    roles: frozenset[str] = field(default_factory=frozenset)


@dataclass(frozen=True)
class IssuedPerson:
    """A person who signed in at an issuer, as the issuer describes them."""

    issuer: str
    subject: str
    user_name: str
    email: str
    is_email_verified: bool
    roles: frozenset[str]
