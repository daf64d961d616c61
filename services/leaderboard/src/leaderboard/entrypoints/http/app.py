"""The HTTP application."""

from dynabench_common.http.dead_letter_routes import dead_letters_blueprint
from dynabench_common.http.openapi import PublishedApp
from dynabench_common.http.service import service_app
from dynabench_common.own_data import own_data_blueprint
from dynabench_common.settings import load

from leaderboard.adapters.shared_tables import OWN
from leaderboard.adapters.tables import outbox
from leaderboard.bootstrap import build_dependencies
from leaderboard.entrypoints.http import boards, model_boards, people, shared_boards, standings
from leaderboard.entrypoints.http.dependencies import dependencies as provided
from leaderboard.entrypoints.http.errors import ERRORS
from leaderboard.entrypoints.http.private_tasks import private_tasks
from leaderboard.service_layer.dependencies import Dependencies
from leaderboard.settings import HttpSettings


def create_app(dependencies: Dependencies | None = None) -> PublishedApp:
    """Return the application; without `dependencies` they are built from the environment."""
    needed = dependencies or build_dependencies(load(HttpSettings))
    app = service_app(
        "leaderboard",
        verifier=needed.verifier,
        error_map=ERRORS,
        ready=needed.check_ready,
    )
    provided.provide(app, needed)
    for module in (boards, standings, model_boards, shared_boards, people):
        app.register_api(module.blueprint)
    app.register_api(dead_letters_blueprint("leaderboard", outbox, lambda: needed.engine))
    app.register_api(own_data_blueprint("leaderboard", OWN, lambda: needed.engine))
    private_tasks(needed.read_model).install(app)
    return app
