"""Requests for the right to start a task: the role of its owner, given before the task exists."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from uuid import UUID

from accounts.domain import roles
from accounts.domain.errors import FieldRefused, TaskRequestOpen
from accounts.domain.person import Person, reason_given


class TaskRequestState(StrEnum):
    """States of a request."""

    OPEN = "open"
    GRANTED = "granted"
    REFUSED = "refused"


@dataclass(frozen=True)
class TaskRequest:
    """A person's last request. `answer` is the sentence of the administrator who decided."""

    person_id: UUID
    task_slug: str
    reason: str
    asked_at: datetime
    state: TaskRequestState = TaskRequestState.OPEN
    answer: str = ""


def ask(person: Person, slug: str, reason: str, last: TaskRequest | None, now: datetime) -> TaskRequest:
    """Return a new request, or `last` if it is open and asks for the same: clients repeat requests.

    Raises TaskRequestOpen while another one waits, FieldRefused for a bad address or reason, and for a task that the
    person may start already.
    """
    wanted, role = slug.strip(), roles.owner_role(slug.strip())
    if last is not None and last.state is TaskRequestState.OPEN:
        if (last.task_slug, last.reason) == (wanted, reason.strip()):
            return last
        raise TaskRequestOpen
    if not roles.OWNER.fullmatch(role):
        raise FieldRefused(
            "task_slug",
            "must have 1 to 64 lower-case letters, digits and hyphens, and no hyphen at either end",
            "Choose another address, for example irony.",
        )
    if role in person.roles:
        raise FieldRefused("task_slug", "is yours already", "Create the task.")
    return TaskRequest(person.person_id, wanted, reason_given(reason), now)
