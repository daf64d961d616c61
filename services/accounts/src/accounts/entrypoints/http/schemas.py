"""Bodies, queries and answers of the HTTP interface."""

from datetime import datetime
from typing import Any, Self
from uuid import UUID

from dynabench_common.schemas import Input, Text
from pydantic import BaseModel, ConfigDict, Field

from accounts.domain.api_token import ApiToken
from accounts.domain.person import Person

LONGEST_INPUT = 1000


class SignUpBody(Input):
    """A new person."""

    user_name: str = Field(max_length=LONGEST_INPUT, description="3 to 40 of a-z, 0-9, '-', '_' and '.'")
    email: str = Field(max_length=LONGEST_INPUT, description="Stays in this service")
    password: str = Field(max_length=LONGEST_INPUT, description="At least 10 characters")


class SignInBody(Input):
    """User name and password."""

    user_name: str = Field(max_length=LONGEST_INPUT)
    password: str = Field(max_length=LONGEST_INPUT)


class RolesBody(Input):
    """All roles that the person shall hold."""

    roles: list[str] = Field(
        max_length=LONGEST_INPUT, description="'annotator', 'admin', 'owner:<task slug>'"
    )


class ApiTokenBody(Input):
    """A new API token."""

    name: str = Field(max_length=LONGEST_INPUT, description="The program that will use it")


class ExchangeBody(Input):
    """An API token to exchange."""

    api_token: str = Field(max_length=LONGEST_INPUT)


class PersonPath(BaseModel):
    """Names a person."""

    person_id: UUID


class ApiTokenPath(BaseModel):
    """Names one of the caller's API tokens."""

    token_id: UUID


class ResponseBody(BaseModel):
    """Base of answers made from records and aggregates."""

    model_config = ConfigDict(from_attributes=True)


class PersonAnswer(ResponseBody):
    """A person; the mail address is not part of it."""

    person_id: UUID
    user_name: str
    roles: list[str]
    cohort: str
    registered_at: datetime

    @classmethod
    def of(cls, person: Person) -> Self:
        """Return the answer about an aggregate."""
        return cls(
            person_id=person.person_id,
            user_name=person.user_name,
            roles=sorted(person.roles),
            cohort=person.cohort,
            registered_at=person.registered_at,
        )


class TaskPath(BaseModel):
    """A task in an address."""

    slug: Text = Field(max_length=LONGEST_INPUT)


class OwnerAnswer(ResponseBody):
    """A person who looks after a task."""

    person_id: UUID
    user_name: str


class OwnersAnswer(ResponseBody):
    """The owners of a task, by name."""

    items: list[OwnerAnswer]


class AccessAnswer(ResponseBody):
    """An access token and whom it speaks for."""

    access_token: str
    expires_in: int = Field(description="Seconds")
    person: PersonAnswer


class EndedSessionsAnswer(BaseModel):
    """What access tokens may no longer speak for."""

    session_ids: list[str]


class ApiTokenAnswer(ResponseBody):
    """An API token without its text."""

    token_id: UUID
    name: str
    created_at: datetime
    last_used_at: datetime | None
    revoked_at: datetime | None


class NewApiTokenAnswer(ApiTokenAnswer):
    """A fresh API token with its text, which is told this once."""

    token: str

    @classmethod
    def made(cls, token: ApiToken, secret: str) -> Self:
        """Return the answer to its creation."""
        return cls(
            token_id=token.token_id,
            name=token.name,
            created_at=token.created_at,
            last_used_at=token.last_used_at,
            revoked_at=token.revoked_at,
            token=secret,
        )


class ApiTokensAnswer(ResponseBody):
    """A page of API tokens."""

    items: list[ApiTokenAnswer]
    next_cursor: str | None


class JwksAnswer(ResponseBody):
    """Public keys (RFC 7517)."""

    keys: list[dict[str, Any]]
