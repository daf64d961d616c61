"""Parts of private tasks in addresses."""

from typing import Any
from uuid import UUID

from dynabench_common.auth.private_tasks import PrivateTasks, private_by_newest
from sqlalchemy import Engine, Select, select

from validation.adapters.gold_tables import gold_answer, gold_item, gold_showing
from validation.adapters.tables import example_validation, lease, round_, task_configuration, vote

OF_ROUND = select(task_configuration.c.slug).join(round_, round_.c.task_id == task_configuration.c.task_id)
ASKED = select(example_validation.c.round_id)
SHOWN = select(gold_showing.c.round_id)
"""A known item is shown like an example: a showing has an id like an example, and its answer one like a vote."""


def private_tasks(engine: Engine) -> PrivateTasks:
    """Return the private tasks of this service."""
    return PrivateTasks(
        engine.connect,
        private_by_newest(task_configuration),
        {
            "round_id": lambda key: OF_ROUND.where(round_.c.round_id == key),
            "example_id": _of_example,
            "lease_id": _of_lease,
            "vote_id": _of_vote,
            "gold_id": _of_gold,
        },
    )


def _of_example(key: UUID) -> Select[Any]:
    return _of_either(
        ASKED.where(example_validation.c.example_id == key), SHOWN.where(gold_showing.c.showing_id == key)
    )


def _of_lease(key: UUID) -> Select[Any]:
    leased = select(lease.c.resource_id).where(lease.c.lease_id == key)
    return _of_either(
        ASKED.where(example_validation.c.example_id.in_(leased)),
        SHOWN.where(gold_showing.c.showing_id.in_(leased)),
    )


def _of_vote(key: UUID) -> Select[Any]:
    return _of_either(
        ASKED.join(vote).where(vote.c.vote_id == key),
        SHOWN.join(gold_answer).where(gold_answer.c.vote_id == key),
    )


def _of_gold(key: UUID) -> Select[Any]:
    own = select(gold_item.c.task_id).where(gold_item.c.gold_id == key)
    return select(task_configuration.c.slug).where(task_configuration.c.task_id.in_(own))


def _of_either(asked: Select[Any], shown: Select[Any]) -> Select[Any]:
    return OF_ROUND.where(round_.c.round_id.in_(asked.union(shown)))
