"""A work order: tries, or checks of examples, that an owner assigns to a person in a round, due on a day.

A person has at most one open order of each activity in a round. So every try and every vote counts for one order.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime

from dynabench_tasks.configuration.onboarding import Activity
from dynabench_tasks.fields import InputRefused

from annotation.domain.identifiers import ContextId, ExampleId, OrderId, PersonId, RoundId


@dataclass(eq=False)
class WorkAssignedBefore(Exception):
    """These people, by their names, have an open order of this activity in the round."""

    names: Sequence[str]


class WorkEnded(Exception):
    """The order was withdrawn or reassigned before, or all its texts were withdrawn or retracted."""


@dataclass(frozen=True)
class Worker:
    """A person, and the name under which the owner chose them."""

    person_id: PersonId
    name: str


@dataclass(frozen=True)
class Instruction:
    """The assigned work. Without `context_ids` tries on all contexts count, without `example_ids` checks of any."""

    activity: Activity
    topic: str
    context_ids: tuple[ContextId, ...]
    units: int
    due_on: date
    example_ids: tuple[ExampleId, ...] = ()

    def ensure_consistent(self) -> None:
        """Refuse examples in an order of tries, and more checks than examples. Raises InputRefused."""
        if not self.example_ids:
            return
        if self.activity is not Activity.VALIDATE:
            remedy = "Choose the activity validate, or leave the examples out."
            raise InputRefused("example_ids", "names examples, which are only checked", remedy)
        if self.units > len(set(self.example_ids)):
            remedy = "Ask for at most as many checks as there are examples."
            raise InputRefused("units", "is more than the number of chosen examples", remedy)

    def ensure_due(self, now: datetime) -> None:
        """Refuse a past day, in UTC. Raises InputRefused."""
        if self.due_on < now.date():
            raise InputRefused("due_on", "is in the past", "Choose today or a later day.")


@dataclass(frozen=True)
class WorkOrder:
    """Assigned work; with `ended_at` the owner has withdrawn it, or given it to somebody else."""

    order_id: OrderId
    round_id: RoundId
    worker: Worker
    instruction: Instruction
    assigned_at: datetime
    ended_at: datetime | None = None
