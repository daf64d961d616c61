"""Bodies, queries and answers about people, for administrators."""

from datetime import datetime
from typing import Literal
from uuid import UUID

from dynabench_common.schemas import Input, PageQuery, Text
from pydantic import Field

from accounts.entrypoints.http.schemas import LONGEST_INPUT, PersonAnswer, ResponseBody


class PeopleQuery(PageQuery):
    """Which people to list."""

    user_name: Text | None = Field(default=None, max_length=LONGEST_INPUT, description="Only this person")
    search: Text | None = Field(
        default=None, max_length=LONGEST_INPUT, description="Part of a user name or mail address"
    )


class RoleChangeBody(Input):
    """Roles to give and to take."""

    grant: list[str] = Field(
        default=[], max_length=LONGEST_INPUT, description="'admin' or 'owner:<task slug>'"
    )
    revoke: list[str] = Field(
        default=[], max_length=LONGEST_INPUT, description="The same; absent ones stay absent"
    )
    reason: str = Field(default="", max_length=500, description="For the audit log")


class PersonStateBody(Input):
    """Whether a person may come in."""

    state: Literal["active", "disabled"]
    reason: str = Field(
        max_length=LONGEST_INPUT, description="For the audit log and, of disabling, the person"
    )


class ListedPersonAnswer(PersonAnswer):
    """A person as administrators see them in a list."""

    email: str
    disabled_at: datetime | None = Field(description="Since when an administrator keeps them out")


class KnownPersonAnswer(ListedPersonAnswer):
    """What is known of a person."""

    disabled_by: UUID | None
    disabled_by_name: str | None
    disabled_reason: str | None
    sessions: int = Field(description="Browsers that are signed in")
    api_tokens: int = Field(description="Live ones")
    last_seen_at: datetime | None = Field(
        description="Newest use of a session, to 15 minutes, or of an API token; null after a month without"
    )


class PeopleAnswer(ResponseBody):
    """A page of people."""

    items: list[ListedPersonAnswer]
    next_cursor: str | None


class PeopleCountsAnswer(ResponseBody):
    """How many people there are."""

    people: int
    administrators: int = Field(description="Without those who are disabled")
    disabled: int
    new: int = Field(description="Signed up within seven days")
