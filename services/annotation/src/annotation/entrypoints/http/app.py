"""The HTTP application, and the task behind each part of its addresses, for private tasks."""

from dynabench_common.auth.private_tasks import PrivateTasks, is_private
from dynabench_common.http.dead_letter_routes import dead_letters_blueprint
from dynabench_common.http.openapi import PublishedApp
from dynabench_common.http.service import service_app
from dynabench_common.onboarding.routes import onboarding_blueprint
from dynabench_common.own_data import own_data_blueprint
from dynabench_common.settings import load
from dynabench_tasks.configuration.onboarding import Activity
from sqlalchemy import Engine, select

from annotation.adapters import tables
from annotation.adapters.tables import context, example, image, round_, task, task_configuration, work_order
from annotation.adapters.task_repository import CONFIGURED
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
from annotation.service_layer.dependencies import Dependencies
from annotation.settings import AnnotationSettings

SLUG = select(task.c.slug)


def private_tasks(engine: Engine) -> PrivateTasks:
    """Return the private tasks of this service."""
    return PrivateTasks(
        engine.connect,
        select(task.c.slug).select_from(CONFIGURED).where(is_private(task_configuration.c.document)),
        {
            "round_id": lambda key: SLUG.join(round_).where(round_.c.round_id == key),
            "example_id": lambda key: SLUG.join(example).where(example.c.example_id == key),
            "context_id": lambda key: SLUG.join(round_).join(context).where(context.c.context_id == key),
            "order_id": lambda key: SLUG.join(round_).join(work_order).where(work_order.c.order_id == key),
            "image_id": lambda key: SLUG.join(image).where(image.c.image_id == key),
        },
        {"target"},
    )


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
