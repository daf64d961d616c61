"""The HTTP application, and the task behind each part of its addresses, for private tasks."""

from typing import Any
from uuid import UUID

from dynabench_common.auth.private_tasks import PrivateTasks, private_by_newest
from dynabench_common.http.dead_letter_routes import dead_letters_blueprint
from dynabench_common.http.openapi import PublishedApp
from dynabench_common.http.service import service_app
from dynabench_common.onboarding.routes import onboarding_blueprint
from dynabench_common.own_data import own_data_blueprint
from dynabench_common.settings import load
from dynabench_tasks.configuration.onboarding import Activity
from sqlalchemy import Engine, Select, select

from validation.adapters import tables
from validation.adapters.gold_tables import gold_answer, gold_item, gold_showing
from validation.adapters.tables import example_validation, lease, round_, task_configuration, vote
from validation.bootstrap import build_dependencies
from validation.entrypoints.http import (
    agreement,
    decisions,
    examples,
    gold,
    leases,
    messages,
    own_votes,
    rounds,
    validators,
    votes,
    work,
)
from validation.entrypoints.http.access import dependencies, find_onboarding
from validation.entrypoints.http.errors import ERRORS
from validation.service_layer.dependencies import Dependencies
from validation.settings import ValidationSettings

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


def create_app(needed: Dependencies | None = None) -> PublishedApp:
    """Return the application; without collaborators they are built from the environment."""
    needed = needed or build_dependencies(load(ValidationSettings))
    app = service_app(
        "validation",
        verifier=needed.verifier,
        error_map=ERRORS,
        ready=needed.check_ready,
    )
    dependencies.provide(app, needed)
    for module in (
        agreement,
        examples,
        leases,
        votes,
        own_votes,
        decisions,
        messages,
        rounds,
        work,
        gold,
        validators,
    ):
        app.register_api(module.blueprint)
    app.register_api(
        onboarding_blueprint(
            "validation", Activity.VALIDATE, tables.onboarding, lambda: needed.engine, find_onboarding
        )
    )
    app.register_api(dead_letters_blueprint("validation", tables.outbox, lambda: needed.engine))
    app.register_api(own_data_blueprint("validation", tables.OWN, lambda: needed.engine))
    private_tasks(needed.engine).install(app)
    return app
