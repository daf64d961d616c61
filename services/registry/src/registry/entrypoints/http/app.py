"""The HTTP application."""

from dynabench_common.http.dead_letter_routes import dead_letters_blueprint
from dynabench_common.http.openapi import PublishedApp
from dynabench_common.http.service import service_app
from dynabench_common.own_data import own_data_blueprint
from dynabench_common.settings import load

from registry.adapters import tables
from registry.bootstrap import build_dependencies
from registry.entrypoints.http import models, publications, submissions, uploads
from registry.entrypoints.http.dependencies import dependencies as provided
from registry.entrypoints.http.errors import ERRORS
from registry.entrypoints.http.private_tasks import private_tasks
from registry.service_layer.dependencies import HttpDependencies
from registry.settings import HttpSettings


def create_app(dependencies: HttpDependencies | None = None) -> PublishedApp:
    """Return the application; without `dependencies` they are built from the environment."""
    needed = dependencies or build_dependencies(load(HttpSettings))
    app = service_app("registry", verifier=needed.verifier, error_map=ERRORS, ready=needed.check_ready)
    provided.provide(app, needed)
    for module in (models, uploads, submissions, publications):
        app.register_api(module.blueprint)
    app.register_api(dead_letters_blueprint("registry", tables.outbox, lambda: needed.engine))
    app.register_api(own_data_blueprint("registry", tables.OWN, lambda: needed.engine))
    private_tasks(needed.engine).install(app)
    return app
