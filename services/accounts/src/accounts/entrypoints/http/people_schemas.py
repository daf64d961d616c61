"""Bodies, queries and answers about people, for administrators."""

from typing import Literal

from dynabench_common.http.schemas import Input, PageQuery, Text
from pydantic import Field

from accounts.entrypoints.http.schemas import LONGEST_INPUT


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
