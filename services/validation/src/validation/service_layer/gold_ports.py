"""Ports of the handlers of known items and of validators' standing."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Protocol

from validation.domain.gold import GoldItem
from validation.domain.identifiers import ExampleId, GoldId, PersonId, RoundId, TaskId, VoteId
from validation.domain.rules import ValidationRules
from validation.domain.validators import Validator


@dataclass(frozen=True)
class Task:
    """A task as its newest configuration has it."""

    task_id: TaskId
    slug: str
    configuration_version: int
    configuration: Mapping[str, Any]
    rules: ValidationRules


class Tasks(Protocol):
    """The tasks that annotation published."""

    def named(self, slug: str) -> Task:
        """Return the task. Raises TaskUnknown."""

    def of_round(self, round_id: RoundId) -> Task:
        """Return the round's task. Raises RoundUnknown."""


class Golds(Protocol):
    """Showings of known items, and people's answers."""

    def show_due(
        self, round_id: RoundId, person_id: PersonId, now: datetime, instead_of: ExampleId
    ) -> ExampleId | None:
        """Show the person an item before an example if it is time for one; return the id that it goes by."""

    def is_failed(self, vote_id: VoteId) -> bool:
        """Tell whether the vote was a first answer on a known item, and wrong."""


class GoldItems(Protocol):
    """The items whose answer is known."""

    def add(self, items: Sequence[GoldItem]) -> None:
        """Store new items; an example becomes an item once."""

    def lock(self, gold_id: GoldId) -> GoldItem:
        """Return the item, locked. Raises GoldUnknown."""

    def save(self, item: GoldItem) -> None:
        """Store how the item stands."""

    def lock_pool(self, task_id: TaskId) -> list[GoldItem]:
        """Return the task's items in use that were made of examples, locked."""

    def overtaken(self, task_id: TaskId) -> set[GoldId]:
        """Return which of them were made of an example that is retracted now, or was decided anew."""

    def candidates(self, task: Task, round_id: RoundId, now: datetime) -> list[GoldItem]:
        """Return items that may be made of the round's examples, the latest resolved first."""


class Validators(Protocol):
    """People's standing in tasks."""

    def in_round(self, round_id: RoundId, person_id: PersonId) -> Validator | None:
        """Return where the person stands in the round's task; None while the task is unknown."""

    def lock(self, task_id: TaskId, person_id: PersonId) -> Validator:
        """Return where the person stands in the task, locked. Raises ValidatorUnknown."""

    def enrol(self, validator: Validator) -> None:
        """Make the person a validator of the task, unless they are one."""

    def save(self, validator: Validator) -> None:
        """Store the owner's decision and the appeal."""
