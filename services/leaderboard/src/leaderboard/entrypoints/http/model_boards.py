"""Routes: the board of a task's models under the reader's own weights, and the targets that it proposes."""

from uuid import UUID, uuid5

from dynabench_common.authentication import Principal
from dynabench_common.permissions import Permission, current_principal, requires
from flask import Response
from flask_openapi import APIBlueprint

from leaderboard.domain.moving_parts import moving_parts
from leaderboard.domain.target_proposals import BY_PERFORMANCE, target_proposals
from leaderboard.entrypoints.http.dependencies import the_model_boards
from leaderboard.entrypoints.http.model_board_schemas import (
    ChoiceInput,
    ModelBoardAnswer,
    ModelBoardQuery,
    TaskPath,
)
from leaderboard.entrypoints.http.moving_part_schemas import MovingPartsAnswer
from leaderboard.entrypoints.http.representation import is_current, not_modified, tagged
from leaderboard.entrypoints.http.target_proposal_schemas import TargetProposalsAnswer, TargetProposalsQuery

blueprint = APIBlueprint("model_boards", __name__, url_prefix="/api/leaderboard/v1")


@blueprint.get("/tasks/<slug>/model-board", responses={200: ModelBoardAnswer, 304: None})
@requires(Permission.READ_PUBLIC)
def get_model_board(path: TaskPath, query: ModelBoardQuery) -> Response:
    """Rank a task's models: by the task's weights, or by one's own. One's own unpublished models are on it too."""
    choice = query.choice()
    boards, principal = the_model_boards(), current_principal()
    revision = _for(principal, boards.revision(path.slug))
    if is_current(revision):
        return not_modified(revision)
    sees_all = principal.is_admin or principal.owns(path.slug)
    board = boards.board(path.slug, choice, principal.person_id, sees_all=sees_all)
    answer = ModelBoardAnswer.of(board, principal.person_id, scores=query.scores)
    return tagged(_for(principal, board.facts.revision), answer)


@blueprint.get("/tasks/<slug>/model-board/moving-parts", responses={200: MovingPartsAnswer, 304: None})
@requires(Permission.READ_PUBLIC)
def get_moving_parts(path: TaskPath, query: ChoiceInput) -> Response:
    """Say what a page needs to rank the board's models anew by itself while a weight is dragged."""
    choice = query.choice()
    boards, principal = the_model_boards(), current_principal()
    revision = _for(principal, boards.revision(path.slug))
    if is_current(revision):
        return not_modified(revision)
    sees_all = principal.is_admin or principal.is_service or principal.owns(path.slug)
    board = boards.board(path.slug, choice, principal.person_id, sees_all=sees_all)
    answer = MovingPartsAnswer.of(board, moving_parts(board))
    return tagged(_for(principal, board.facts.revision), answer)


@blueprint.get("/tasks/<slug>/target-proposals", responses={200: TargetProposalsAnswer, 304: None})
@requires(Permission.READ_PUBLIC)
def get_target_proposals(path: TaskPath, query: TargetProposalsQuery) -> Response:
    """Propose targets for a task's next round: the published models that answer best and err in different ways."""
    boards, principal = the_model_boards(), current_principal()
    revision = _for(principal, boards.revision(path.slug))
    if is_current(revision):
        return not_modified(revision)
    sees_all = principal.is_admin or principal.owns(path.slug)
    board = boards.board(path.slug, BY_PERFORMANCE, principal.person_id, sees_all=sees_all)
    found = target_proposals(board, query.targets)
    return tagged(_for(principal, board.facts.revision), TargetProposalsAnswer.of(found))


def _for(principal: Principal, revision: UUID) -> UUID:
    """Return a revision as one caller sees it: whoever signs in sees models of their own too."""
    return revision if principal.person_id is None else uuid5(revision, str(principal.person_id))
