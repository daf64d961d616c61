"""The HTTP application."""

from pathlib import Path

from dynabench_common.http.dead_letter_routes import dead_letters_blueprint
from dynabench_common.http.openapi import PublishedApp
from dynabench_common.http.service import service_app
from dynabench_common.own_data import own_data_blueprint
from dynabench_common.settings import load
from dynabench_common.working_folders import locked_folder
from evaluation.adapters.tables import OWN as EVALUATION_OWN
from evaluation.entrypoints.http import evaluations, items
from evaluation.entrypoints.http.dependencies import dependencies as evaluation_provided
from evaluation.entrypoints.http.errors import ERRORS as EVALUATION_ERRORS

from scoring.adapters import tables
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
from scoring.entrypoints.http.private_tasks import private_tasks
from scoring.service_layer.dependencies import HttpDependencies
from scoring.settings import HttpSettings


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
