"""Bodies, queries and answers of the HTTP interface."""

from typing import Literal
from uuid import UUID

from dynabench_api.accounts import NewApiTokenAnswer, PersonAnswer
from dynabench_common.http.schemas import Input, PageQuery, Parameters, Text
from pydantic import BaseModel, Field

from accounts.domain.api_token import ApiToken
from accounts.domain.invitation import MOST_DAYS, MOST_USES
from accounts.domain.person import Person

LONGEST_INPUT = 1000
LANGUAGE = Field(
    default="en", max_length=35, description="Language of mails (BCP 47); English if there is no translation"
)
CODE = Field(max_length=LONGEST_INPUT, description="Code of the app, or a recovery code")
DEVICE = Field(default="", max_length=100, description="Browser and system, for the list of sessions")


class SignUpBody(Input):
    """A new person."""

    user_name: str = Field(max_length=LONGEST_INPUT, description="3 to 40 of a-z, 0-9, '-', '_' and '.'")
    email: str = Field(max_length=LONGEST_INPUT, description="Mail address. It never leaves this service")
    password: str = Field(max_length=LONGEST_INPUT, description="At least 10 characters")


class SignInBody(Input):
    """User name and password."""

    user_name: str = Field(max_length=LONGEST_INPUT)
    password: str = Field(max_length=LONGEST_INPUT)
    device: str = DEVICE


class CodeSignInBody(Input):
    """The second step of a sign-in."""

    challenge: str = Field(
        max_length=LONGEST_INPUT, description="The `challenge` of the first step's refusal"
    )
    code: str = CODE
    device: str = DEVICE


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


class PeopleQuery(PageQuery):
    """Filters of the list of people."""

    user_name: Text | None = Field(default=None, max_length=LONGEST_INPUT, description="Only this person")
    search: Text | None = Field(
        default=None, max_length=LONGEST_INPUT, description="Part of a user name or mail address"
    )


class RoleChangeBody(Input):
    """Roles to add and to remove."""

    grant: list[str] = Field(
        default=[], max_length=LONGEST_INPUT, description="'admin' or 'owner:<task slug>'"
    )
    revoke: list[str] = Field(
        default=[],
        max_length=LONGEST_INPUT,
        description="Likewise. Roles that the person does not have are ignored",
    )
    reason: str = Field(default="", max_length=500, description="Reason for the audit log")


class PersonStateBody(Input):
    """A person's state: enabled or disabled."""

    state: Literal["active", "disabled"]
    reason: str = Field(
        max_length=LONGEST_INPUT,
        description="Reason for the audit log. If you disable the person, they see it too",
    )


class NicknameBody(Input):
    """The caller's nickname; an empty text removes it."""

    nickname: str = Field(max_length=LONGEST_INPUT)


class NicknameReportBody(Input):
    """A report of a nickname."""

    reason: str = Field(max_length=LONGEST_INPUT, description="Reason for the administrators")


class NicknameStateBody(Input):
    """A nickname's state: shown or hidden."""

    state: Literal["shown", "hidden"]
    reason: str = Field(
        max_length=LONGEST_INPUT,
        description="Reason for the audit log. If you hide it, the person sees it too",
    )


class TaskRequestBody(Input):
    """A request for the right to start a task."""

    task_slug: str = Field(max_length=LONGEST_INPUT, description="Address of the task, for example irony")
    reason: str = Field(max_length=LONGEST_INPUT, description="Reason for the administrators")


class TaskRequestAnswerBody(Input):
    """An administrator's answer to a request."""

    task_slug: str = Field(max_length=LONGEST_INPUT, description="Address that the person asked for")
    state: Literal["granted", "refused"]
    answer: str = Field(
        max_length=LONGEST_INPUT, description="A sentence for the person; the audit log keeps it"
    )


class NicknamesQuery(Parameters):
    """People whose nicknames are wanted."""

    person_id: list[UUID] = Field(min_length=1, max_length=200)


class NamedPeopleQuery(Parameters):
    """User names to look up."""

    user_name: list[Text] = Field(min_length=1, max_length=100)


class WorkSessionBody(Input):
    """The length of a session for paid work."""

    minutes: int = Field(ge=1, le=1440, description="Minutes until the session ends")
    task_slug: str = Field(
        default="",
        max_length=LONGEST_INPUT,
        description="Task of the campaign, whose member the person becomes",
    )


class PersonPath(BaseModel):
    """A person in an address."""

    person_id: UUID


class SessionPath(BaseModel):
    """One of the caller's sessions in an address."""

    session_id: UUID


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


class MemberPath(TaskPath, PersonPath):
    """A member of a task in an address."""


class GroupPath(BaseModel):
    """A group in an address."""

    group_id: UUID


class GroupPersonPath(GroupPath, PersonPath):
    """A person of a group in an address."""


class TaskGroupPath(TaskPath, GroupPath):
    """A group of a task in an address."""


class InvitationPath(TaskPath):
    """An invitation to a task in an address."""

    invitation_id: UUID


class MemberBody(Input):
    """The person to add."""

    user_name: str = Field(max_length=LONGEST_INPUT)


class GroupBody(Input):
    """A new group."""

    name: str = Field(max_length=LONGEST_INPUT)


class InvitationBody(Input):
    """A new invitation."""

    days: int = Field(ge=1, le=MOST_DAYS, description="Days until it ends")
    uses: int = Field(ge=1, le=MOST_USES, description="Number of people whom it lets in")


class SecretBody(Input):
    """The secret of an invitation."""

    secret: str = Field(max_length=LONGEST_INPUT)


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
