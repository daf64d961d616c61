"""The HTTP application, and the task behind each part of its addresses, for private tasks."""

from dynabench_common.auth.private_tasks import PrivateTasks, is_private
from dynabench_common.http.dead_letter_routes import dead_letters_blueprint
from dynabench_common.http.openapi import PublishedApp
from dynabench_common.http.service import service_app
from dynabench_common.own_data import own_data_blueprint
from dynabench_common.settings import load
from sqlalchemy import Engine, or_, select

from registry.adapters import tables
from registry.adapters.tables import submission, task
from registry.bootstrap import build_dependencies
from registry.entrypoints.http import models, publications, submissions, uploads
from registry.entrypoints.http.dependencies import dependencies as provided
from registry.entrypoints.http.errors import ERRORS
from registry.service_layer.dependencies import HttpDependencies
from registry.settings import HttpSettings

SLUG = select(submission.c.task_slug)


def private_tasks(engine: Engine) -> PrivateTasks:
    """Return the private tasks of this service."""
    return PrivateTasks(
        engine.connect,
        select(task.c.slug).where(is_private(task.c.configuration)),
        {
            "submission_id": lambda key: SLUG.where(submission.c.submission_id == key),
            "name": lambda key: SLUG.where(
                or_(submission.c.serving_name == key, submission.c.model_name == key)
            ),
        },
        {"evaluation_id", "step"},
    )


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
