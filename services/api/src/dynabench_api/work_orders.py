"""Work that owners assign to people, from the annotation service."""

from datetime import date, datetime
from typing import Annotated

from pydantic import Field

from dynabench_api.base import Id, Page, Record, words


class WorkOrderAnswer(Record):
    """Tries or checks of examples that an owner assigned to a person in a round."""

    order_id: Id
    task_slug: str
    round_id: Id
    person_id: Id
    name: str = Field(description="Name under which the owner chose the person")
    activity: Annotated[str, words("create", "validate")]
    topic: str
    contexts: int = Field(description="Number of contexts to write on; 0 for all of the round")
    withdrawn_contexts: int = Field(description="Number of those that were withdrawn")
    examples: int = Field(description="Number of examples to check; 0 for any of the round")
    units: int = Field(description="Number of tries, or of examples to check")
    done: int | None = Field(
        description="Tries since the assignment, without retracted ones. Null for checks, which validation counts"
    )
    due_on: date = Field(description="The last day, in UTC")
    assigned_at: datetime


class OwnWorkOrdersAnswer(Record):
    """The caller's assigned work."""

    items: tuple[WorkOrderAnswer, ...]


class WorkOrdersAnswer(Page[WorkOrderAnswer]):
    """A page of the work assigned in a task."""
