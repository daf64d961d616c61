"""The HTTP application, and the task behind each part of its addresses, for private tasks."""

from dynabench_common.auth.private_tasks import PrivateTasks, private_by_newest
from dynabench_common.http.dead_letter_routes import dead_letters_blueprint
from dynabench_common.http.openapi import PublishedApp
from dynabench_common.http.service import service_app
from dynabench_common.own_data import own_data_blueprint
from dynabench_common.settings import load
from sqlalchemy import select

from leaderboard.adapters.shared_tables import OWN, board_snapshot, board_view
from leaderboard.adapters.standing_read_model import StandingReadModel
from leaderboard.adapters.tables import outbox, round_, task_configuration
from leaderboard.bootstrap import build_dependencies
from leaderboard.entrypoints.http import boards, model_boards, people, shared_boards, standings
from leaderboard.entrypoints.http.dependencies import dependencies as provided
from leaderboard.entrypoints.http.errors import ERRORS
from leaderboard.service_layer.dependencies import Dependencies
from leaderboard.settings import HttpSettings

OF_ROUND = select(task_configuration.c.slug).join(round_, round_.c.task_id == task_configuration.c.task_id)


def private_tasks(read_model: StandingReadModel) -> PrivateTasks:
    """Return the private tasks of this service."""
    return PrivateTasks(
        read_model.connect,
        private_by_newest(task_configuration),
        {
            "round_id": lambda key: OF_ROUND.where(round_.c.round_id == key),
            "view_id": lambda key: select(board_view.c.task_slug).where(board_view.c.view_id == key),
            "snapshot_id": lambda key: select(board_snapshot.c.task_slug).where(
                board_snapshot.c.snapshot_id == key
            ),
        },
    )


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
