"""The HTTP application."""

from dynabench_common import http
from dynabench_common.dead_letter_routes import dead_letters_blueprint
from dynabench_common.openapi import PublishedApp
from dynabench_common.settings import load

from annotation.adapters import tables
from annotation.bootstrap import Application, build_application
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
)
from annotation.entrypoints.http.access import provide
from annotation.entrypoints.http.errors import ERROR_MAP
from annotation.settings import AnnotationSettings


def create_app(dependencies: Application | None = None) -> PublishedApp:
    """Return the application; without `dependencies` they are built from the environment."""
    application = dependencies or build_application(load(AnnotationSettings))
    app = http.create_app(
        "annotation",
        verifier=application.verifier,
        error_map=ERROR_MAP,
        ready=application.check_ready,
    )
    provide(app, application)
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
    ):
        app.register_api(module.blueprint)
    app.register_api(dead_letters_blueprint("annotation", tables.outbox, lambda: application.engine))
    return app
