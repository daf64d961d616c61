"""Routes: the board of a task's models under the reader's own weights, and the targets that it proposes."""

from collections.abc import Callable
from uuid import UUID, uuid5

from dynabench_api.model_boards import ModelBoardAnswer, MovingPartsAnswer, TargetProposalsAnswer
from dynabench_common.auth.authentication import Principal
from dynabench_common.auth.permissions import Permission, current_principal, requires
from flask import Response
from flask_openapi import APIBlueprint
from pydantic import BaseModel

from leaderboard.domain.board_choice import Choice
from leaderboard.domain.model_board import ModelBoard
from leaderboard.domain.moving_parts import moving_parts
from leaderboard.domain.target_proposals import BY_PERFORMANCE, target_proposals
from leaderboard.entrypoints.http.dependencies import dependencies
from leaderboard.entrypoints.http.model_board_answers import (
    model_board_answer,
    moving_parts_answer,
    target_proposals_answer,
)
from leaderboard.entrypoints.http.model_board_schemas import (
    ChoiceInput,
    ModelBoardQuery,
    TargetProposalsQuery,
    TaskPath,
)
from leaderboard.entrypoints.http.representation import is_current, not_modified, tagged

blueprint = APIBlueprint("model_boards", __name__, url_prefix="/api/leaderboard/v1")


@blueprint.get("/tasks/<slug>/model-board", responses={200: ModelBoardAnswer, 304: None})
@requires(Permission.READ_PUBLIC)
def get_model_board(path: TaskPath, query: ModelBoardQuery) -> Response:
    """Rank a task's models by the task's weights or by yours. Your own unpublished models are included."""
    person_id = current_principal().person_id
    return _of_board(
        path.slug,
        query.choice(),
        lambda board: model_board_answer(board, person_id, scores=query.scores),
    )


@blueprint.get("/tasks/<slug>/model-board/moving-parts", responses={200: MovingPartsAnswer, 304: None})
@requires(Permission.READ_PUBLIC)
def get_moving_parts(path: TaskPath, query: ChoiceInput) -> Response:
    """Return the parts of the scores, so that a page can rank models again while the reader changes a weight."""
    return _of_board(path.slug, query.choice(), lambda board: moving_parts_answer(board, moving_parts(board)))


@blueprint.get("/tasks/<slug>/target-proposals", responses={200: TargetProposalsAnswer, 304: None})
@requires(Permission.READ_PUBLIC)
def get_target_proposals(path: TaskPath, query: TargetProposalsQuery) -> Response:
    """Propose targets for a task's next round: published models with high scores and different errors."""
    return _of_board(
        path.slug,
        BY_PERFORMANCE,
        lambda board: target_proposals_answer(target_proposals(board, query.targets)),
    )


def _of_board(slug: str, choice: Choice, answer: Callable[[ModelBoard], BaseModel]) -> Response:
    """Return the answer about the caller's board, or 304 if the caller has this revision. Raises TaskNotFound."""
    boards, principal = dependencies().model_boards, current_principal()
    revision = _for(principal, boards.revision(slug))
    if is_current(revision):
        return not_modified(revision)
    sees_all = principal.is_admin or principal.is_service or principal.owns(slug)
    board = boards.board(slug, choice, principal.person_id, sees_all=sees_all)
    return tagged(_for(principal, board.facts.revision), answer(board))


def _for(principal: Principal, revision: UUID) -> UUID:
    """Return the caller's variant of a revision: signed-in people also see their own models."""
    return revision if principal.person_id is None else uuid5(revision, str(principal.person_id))
