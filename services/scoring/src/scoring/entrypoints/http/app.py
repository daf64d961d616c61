"""The HTTP application."""

from dynabench_common.events.dead_letter_routes import dead_letters_blueprint
from dynabench_common.http.openapi import PublishedApp
from dynabench_common.http.service import service_app
from dynabench_common.settings import load

from scoring.adapters import tables
from scoring.bootstrap import build_dependencies
from scoring.entrypoints.http import datasets, evaluation_items, evaluations, exports, measurements, releases
from scoring.entrypoints.http.dependencies import dependencies as provided
from scoring.entrypoints.http.errors import ERRORS
from scoring.service_layer.dependencies import HttpDependencies
from scoring.settings import HttpSettings


def create_app(dependencies: HttpDependencies | None = None) -> PublishedApp:
    """Return the application; without `dependencies` they are built from the environment."""
    needed = dependencies or build_dependencies(load(HttpSettings))
    app = service_app(
        "scoring",
        verifier=needed.verifier,
        error_map=ERRORS,
        ready=needed.check_ready,
    )
    provided.provide(app, needed)
    for module in (releases, datasets, measurements, exports, evaluations, evaluation_items):
        app.register_api(module.blueprint)
    app.register_api(dead_letters_blueprint("scoring", tables.outbox, lambda: needed.engine))
    return app
