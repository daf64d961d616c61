"""The HTTP application."""

from dynabench_common import http
from dynabench_common.dead_letter_routes import dead_letters_blueprint
from dynabench_common.openapi import PublishedApp
from dynabench_common.problems import ErrorMap, Problem, not_found, unavailable
from dynabench_common.settings import load

from leaderboard.adapters.standing_read_model import NoReadModel
from leaderboard.adapters.tables import outbox
from leaderboard.bootstrap import Dependencies, build_dependencies
from leaderboard.domain.errors import RoundNotFound, TaskNotFound
from leaderboard.domain.ranking.dynascore import NoScore
from leaderboard.entrypoints.http import boards, model_boards, people, shared_boards, standings
from leaderboard.entrypoints.http.dependencies import provide
from leaderboard.entrypoints.http.shared_board_errors import SHARED_BOARD_ERRORS
from leaderboard.settings import HttpSettings


def _not_built(error: NoReadModel) -> Problem:
    return unavailable(
        "boards-being-built", "The boards are being built", "Just now {what}.", 10, {"what": str(error)}
    )


def _no_score(error: NoScore) -> Problem:
    return Problem(
        422,
        "weights-unusable",
        "These weights can't be used",
        "{reason}.",
        field="weights",
        remedy="Give at least one dimension and one dataset that are measured a weight above 0.",
        parameters={"reason": str(error)},
    )


ERROR_MAP: ErrorMap = {
    NoScore: _no_score,
    TaskNotFound: lambda _error: not_found("task", "slug"),
    RoundNotFound: lambda _error: not_found("round", "round_id"),
    NoReadModel: _not_built,
    **SHARED_BOARD_ERRORS,
}


def create_app(dependencies: Dependencies | None = None) -> PublishedApp:
    """Return the application; without `dependencies` they are built from the environment."""
    needed = dependencies or build_dependencies(load(HttpSettings))
    app = http.create_app(
        "leaderboard",
        verifier=needed.verifier,
        error_map=ERROR_MAP,
        ready=needed.check_ready,
    )
    provide(app, needed)
    app.register_api(boards.blueprint)
    app.register_api(standings.blueprint)
    app.register_api(model_boards.blueprint)
    app.register_api(shared_boards.blueprint)
    app.register_api(people.blueprint)
    app.register_api(dead_letters_blueprint("leaderboard", outbox, lambda: needed.engine))
    return app
