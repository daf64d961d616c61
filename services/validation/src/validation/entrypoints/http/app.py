"""The HTTP application."""

from dynabench_common.http.dead_letter_routes import dead_letters_blueprint
from dynabench_common.http.openapi import PublishedApp
from dynabench_common.http.service import service_app
from dynabench_common.onboarding.routes import onboarding_blueprint
from dynabench_common.own_data import own_data_blueprint
from dynabench_common.settings import load
from dynabench_tasks.configuration.onboarding import Activity

from validation.adapters import tables
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
from validation.entrypoints.http.private_tasks import private_tasks
from validation.service_layer.dependencies import Dependencies
from validation.settings import ValidationSettings


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
