"""The HTTP application, and the task behind each part of its addresses, for private tasks."""

from pathlib import Path
from typing import Any
from uuid import UUID

from dynabench_common.auth.private_tasks import PrivateTasks, private_by_newest
from dynabench_common.http.dead_letter_routes import dead_letters_blueprint
from dynabench_common.http.openapi import PublishedApp
from dynabench_common.http.service import service_app
from dynabench_common.own_data import own_data_blueprint
from dynabench_common.settings import load
from dynabench_common.working_folders import locked_folder
from evaluation.adapters.tables import OWN as EVALUATION_OWN
from evaluation.adapters.tables import evaluation, evaluation_dataset
from evaluation.entrypoints.http import evaluations, items
from evaluation.entrypoints.http.dependencies import dependencies as evaluation_provided
from evaluation.entrypoints.http.errors import ERRORS as EVALUATION_ERRORS
from sqlalchemy import Engine, Select, select

from scoring.adapters import tables
from scoring.adapters.tables import dataset, example, release, round_, task_configuration
from scoring.bootstrap import build_dependencies, build_evaluation
from scoring.entrypoints.http import (
    datasets,
    explanations,
    exports,
    measurements,
    moderation,
    public_examples,
    releases,
)
from scoring.entrypoints.http.dependencies import dependencies as provided
from scoring.entrypoints.http.errors import ERRORS
from scoring.service_layer.dependencies import HttpDependencies
from scoring.settings import HttpSettings

OF_ROUND = select(task_configuration.c.slug).join(round_, round_.c.task_id == task_configuration.c.task_id)


def private_tasks(engine: Engine) -> PrivateTasks:
    """Return the private tasks of this service. Released datasets and those for scoring share their parameter."""
    return PrivateTasks(
        engine.connect,
        private_by_newest(task_configuration),
        {
            "round_id": lambda key: OF_ROUND.where(round_.c.round_id == key),
            "example_id": lambda key: OF_ROUND.join(example, example.c.round_id == round_.c.round_id).where(
                example.c.example_id == key
            ),
            "release_id": lambda key: OF_ROUND.join(release, release.c.round_id == round_.c.round_id).where(
                release.c.release_id == key
            ),
            "dataset_id": _of_dataset,
            "evaluation_id": lambda key: select(evaluation.c.task_slug).where(
                evaluation.c.evaluation_id == key
            ),
        },
        {"path"},
    )


def _of_dataset(key: UUID) -> Select[Any]:
    released = select(dataset.c.task_slug).where(dataset.c.dataset_id == key)
    scored = select(evaluation_dataset.c.task_slug).where(evaluation_dataset.c.dataset_id == key)
    return select(released.union(scored).subquery().c.task_slug)


def create_app(dependencies: HttpDependencies | None = None, folder: Path | None = None) -> PublishedApp:
    """Return the application; without `dependencies` they are built from the environment.

    `folder` keeps files of evaluations, by default one that ends with the process.
    """
    needed = dependencies or build_dependencies(load(HttpSettings))
    app = service_app(
        "scoring",
        verifier=needed.verifier,
        error_map={**ERRORS, **EVALUATION_ERRORS},
        ready=needed.check_ready,
    )
    provided.provide(app, needed)
    evaluation_provided.provide(app, build_evaluation(needed, folder or locked_folder()[0]))
    for module in (
        releases,
        datasets,
        measurements,
        exports,
        public_examples,
        explanations,
        moderation,
        evaluations,
        items,
    ):
        app.register_api(module.blueprint)
    app.register_api(dead_letters_blueprint("scoring", tables.outbox, lambda: needed.engine))
    app.register_api(
        own_data_blueprint(
            "scoring", (tables.example_report.c.reported_by, *EVALUATION_OWN), lambda: needed.engine
        )
    )
    private_tasks(needed.engine).install(app)
    return app
