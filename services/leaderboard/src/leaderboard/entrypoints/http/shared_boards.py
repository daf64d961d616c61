"""Routes: weights that people keep under a name, and boards that are frozen."""

from dynabench_api.model_boards import (
    SnapshotAnswer,
    SnapshotsAnswer,
    SnapshotSummary,
    ViewAnswer,
    ViewsAnswer,
)
from dynabench_common.auth.permissions import Permission, current_principal, requires, signed_in_person
from dynabench_common.http.openapi import content
from dynabench_common.http.schemas import cut_page
from dynabench_common.http.service import json_response
from flask import Response
from flask_openapi import APIBlueprint

from leaderboard.entrypoints.http.dependencies import dependencies
from leaderboard.entrypoints.http.model_board_answers import model_board_answer
from leaderboard.entrypoints.http.model_board_schemas import ChoiceInput, TaskPath
from leaderboard.entrypoints.http.shared_board_schemas import (
    KeptQuery,
    SnapshotPath,
    ViewInput,
    ViewPath,
    snapshot_answer,
    view_answer,
)
from leaderboard.queries import shared_boards as kept
from leaderboard.service_layer import shared_boards as commands
from leaderboard.service_layer.shared_boards import FreezeBoard, SaveView

blueprint = APIBlueprint("shared_boards", __name__, url_prefix="/api/leaderboard/v1")
FOREVER = {"Cache-Control": "public, max-age=31536000, immutable"}


@blueprint.get("/tasks/<slug>/model-board/views", responses={200: ViewsAnswer})
@requires(Permission.READ_PUBLIC)
def get_views(path: TaskPath, query: KeptQuery) -> Response:
    """List a task's saved weights, the newest first."""
    dependencies().model_boards.revision(path.slug)
    found = kept.saved_views(dependencies().engine, path.slug, query.after(), query.limit + 1)
    shown, cursor = cut_page(found, query.limit, lambda view: view.view_id)
    person_id = current_principal().person_id
    items = [view_answer(view, person_id) for view in shown]
    return json_response(ViewsAnswer(items=items, next_cursor=cursor))


@blueprint.post("/tasks/<slug>/model-board/views", responses={201: ViewAnswer})
@requires(Permission.SHARE_BOARD)
def save_view(path: TaskPath, body: ViewInput) -> Response:
    """Save your weights under a name. Everybody who sees the board sees them in the list."""
    choice, person_id = body.choice(), signed_in_person()
    dependencies().model_boards.board(path.slug, choice, None)
    view = commands.save_view(SaveView(path.slug, person_id, body.name, choice), dependencies())
    return json_response(view_answer(view, person_id), 201)


@blueprint.get("/board-views/<view_id>", responses={200: ViewAnswer})
@requires(Permission.READ_PUBLIC)
def get_view(path: ViewPath) -> Response:
    """Read saved weights."""
    view = kept.saved_view(dependencies().engine, path.view_id)
    return json_response(view_answer(view, current_principal().person_id))


@blueprint.delete("/board-views/<view_id>", responses={204: None})
@requires(Permission.SHARE_BOARD)
def delete_view(path: ViewPath) -> Response:
    """Delete weights that you saved, or that anybody saved for a task of yours."""
    view, principal = kept.saved_view(dependencies().engine, path.view_id), current_principal()
    may_moderate = principal.is_admin or principal.owns(view.task_slug)
    commands.delete_view(path.view_id, None if may_moderate else signed_in_person(), dependencies())
    return Response(status=204)


@blueprint.get("/tasks/<slug>/model-board/snapshots", responses={200: SnapshotsAnswer})
@requires(Permission.READ_PUBLIC)
def get_snapshots(path: TaskPath, query: KeptQuery) -> Response:
    """List a task's frozen boards, the newest first."""
    dependencies().model_boards.revision(path.slug)
    found = kept.snapshots(dependencies().engine, path.slug, query.after(), query.limit + 1)
    shown, cursor = cut_page(found, query.limit, lambda snapshot: snapshot.snapshot_id)
    items = [SnapshotSummary.model_validate(snapshot) for snapshot in shown]
    return json_response(SnapshotsAnswer(items=items, next_cursor=cursor))


@blueprint.post("/tasks/<slug>/model-board/snapshots", responses={201: SnapshotAnswer})
@requires(Permission.SHARE_BOARD)
def freeze_board(path: TaskPath, body: ChoiceInput) -> Response:
    """Freeze the public board of this moment, without submitters. An equal board is stored only once."""
    board = dependencies().model_boards.board(path.slug, body.choice(), None)
    document = model_board_answer(board, None, scores=False).model_dump(mode="json")
    document["rows"] = [{**row, "submitted_by": None} for row in document["rows"]]
    command = FreezeBoard(path.slug, signed_in_person(), board.facts.as_of, document)
    return json_response(snapshot_answer(commands.freeze_board(command, dependencies())), 201)


@blueprint.get("/board-snapshots/<snapshot_id>", responses={200: SnapshotAnswer})
@requires(Permission.READ_PUBLIC)
def get_snapshot(path: SnapshotPath) -> Response:
    """Read a frozen board."""
    snapshot = kept.snapshot(dependencies().engine, path.snapshot_id)
    return json_response(snapshot_answer(snapshot), headers=FOREVER)


@blueprint.get("/board-snapshots/<snapshot_id>/document", responses={200: content("application/json")})
@requires(Permission.READ_PUBLIC)
def get_snapshot_document(path: SnapshotPath) -> Response:
    """Read a frozen board as canonical JSON: the exact bytes of its SHA-256."""
    snapshot = kept.snapshot(dependencies().engine, path.snapshot_id)
    return Response(snapshot.document.encode(), content_type="application/json", headers=FOREVER)
