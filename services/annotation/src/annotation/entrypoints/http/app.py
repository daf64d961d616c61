"""The HTTP application."""

from dynabench_common.http.dead_letter_routes import dead_letters_blueprint
from dynabench_common.http.openapi import PublishedApp
from dynabench_common.http.service import service_app
from dynabench_common.onboarding.routes import onboarding_blueprint
from dynabench_common.own_data import own_data_blueprint
from dynabench_common.settings import load
from dynabench_tasks.configuration.onboarding import Activity

from annotation.adapters import tables
from annotation.bootstrap import build_dependencies
from annotation.entrypoints.http import (
    configurations,
    context_uploads,
    examples,
    front_model,
    images,
    imports,
    probes,
    round_life,
    rounds,
    sandbox,
    tasks,
    work_orders,
)
from annotation.entrypoints.http.access import dependencies, find_onboarding
from annotation.entrypoints.http.errors import ERRORS
from annotation.entrypoints.http.private_tasks import private_tasks
from annotation.service_layer.dependencies import Dependencies
from annotation.settings import AnnotationSettings


def create_app(needed: Dependencies | None = None) -> PublishedApp:
    """Return the application; without collaborators they are built from the environment."""
    needed = needed or build_dependencies(load(AnnotationSettings))
    app = service_app(
        "annotation",
        verifier=needed.verifier,
        error_map=ERRORS,
        ready=needed.check_ready,
    )
    dependencies.provide(app, needed)
    for module in (
        tasks,
        configurations,
        rounds,
        round_life,
        context_uploads,
        examples,
        probes,
        sandbox,
        front_model,
        images,
        imports,
        work_orders,
    ):
        app.register_api(module.blueprint)
    app.register_api(
        onboarding_blueprint(
            "annotation", Activity.CREATE, tables.onboarding, lambda: needed.engine, find_onboarding
        )
    )
    app.register_api(dead_letters_blueprint("annotation", tables.outbox, lambda: needed.engine))
    app.register_api(own_data_blueprint("annotation", tables.OWN, lambda: needed.engine))
    private_tasks(needed.engine).install(app)
    return app
