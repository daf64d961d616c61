"""Bodies, queries and answers of the HTTP interface."""

from uuid import UUID

from dynabench_api.accounts import NewApiTokenAnswer, PersonAnswer
from dynabench_common.http.schemas import Input, Text
from pydantic import BaseModel, Field

from accounts.domain.api_token import ApiToken
from accounts.domain.person import Person

LONGEST_INPUT = 1000


class SignUpBody(Input):
    """A new person."""

    user_name: str = Field(max_length=LONGEST_INPUT, description="3 to 40 of a-z, 0-9, '-', '_' and '.'")
    email: str = Field(max_length=LONGEST_INPUT, description="Mail address. It never leaves this service")
    password: str = Field(max_length=LONGEST_INPUT, description="At least 10 characters")


class SignInBody(Input):
    """User name and password."""

    user_name: str = Field(max_length=LONGEST_INPUT)
    password: str = Field(max_length=LONGEST_INPUT)


class RolesBody(Input):
    """The person's complete roles."""

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
    """A person in an address."""

    person_id: UUID


class ApiTokenPath(BaseModel):
    """One of the caller's API tokens in an address."""

    token_id: UUID


def person_answer(person: Person) -> PersonAnswer:
    """Return the answer about an aggregate."""
    return PersonAnswer(
        person_id=person.person_id,
        user_name=person.user_name,
        roles=sorted(person.roles),
        cohort=person.cohort,
        registered_at=person.registered_at,
    )


class TaskPath(BaseModel):
    """A task in an address."""

    slug: Text = Field(max_length=LONGEST_INPUT)


def new_api_token_answer(token: ApiToken, secret: str) -> NewApiTokenAnswer:
    """Return the answer to its creation."""
    return NewApiTokenAnswer(
        token_id=token.token_id,
        name=token.name,
        created_at=token.created_at,
        last_used_at=token.last_used_at,
        revoked_at=token.revoked_at,
        token=secret,
    )
