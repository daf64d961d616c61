"""Routes to save and export boards: saved weights, frozen boards, badges, a widget, and files."""

from urllib.parse import urlencode

from dynabench_client import Dynabench
from dynabench_client.board_forms import bibtex, eval_results, eval_yaml, latex_table
from dynabench_client.results.leaderboard import ModelBoard, ModelRow
from dynabench_common.auth.permissions import Permission, requires
from dynabench_common.problems import not_found
from flask import Blueprint, Response, request

from web.kit import form
from web.kit.configuration import task_rules
from web.kit.dependencies import platform
from web.kit.language import _
from web.kit.numbers import moment
from web.kit.outcomes import attempt
from web.kit.parallel import page_reads
from web.kit.rendering import download, go_to, page
from web.kit.security import shown_on_other_sites
from web.kit.sharing import own_address
from web.model_boards.badge import badge
from web.model_boards.routes import board_page
from web.model_boards.view import board_view
from web.model_boards.weights import chosen_weights, saved_query

blueprint = Blueprint("shared_boards", __name__)
SVG, YAML, LATEX = "image/svg+xml", "application/yaml", "application/x-tex"
MOST_SHOWN = 10


@blueprint.post("/tasks/<slug>/board/views")
@requires(Permission.SHARE_BOARD)
def post_view(slug: str) -> Response:
    """Save the weights in the form under a name."""
    chosen, name = chosen_weights(request.form), form.text("name")
    saved = attempt(lambda: platform().leaderboard.save_board_view(slug, name, **chosen.arguments()))
    if saved.problem is None:
        return go_to(f"/tasks/{slug}/board", "view-saved", **chosen.query())
    return board_page(slug, chosen, saved.problem)


@blueprint.get("/tasks/<slug>/board/views/<view_id>")
@requires(Permission.USE_PAGES)
def get_view(slug: str, view_id: str) -> Response:
    """Redirect to the board under saved weights."""
    found = platform().leaderboard.board_view(view_id)
    if found.task_slug != slug:
        raise not_found("view", "view_id")
    return go_to(f"/tasks/{slug}/board", **saved_query(found))


@blueprint.post("/tasks/<slug>/board/views/<view_id>/deletion")
@requires(Permission.SHARE_BOARD)
def post_deletion(slug: str, view_id: str) -> Response:
    """Delete the person's saved weights."""
    platform().leaderboard.delete_board_view(view_id)
    return go_to(f"/tasks/{slug}/board", "view-deleted")


@blueprint.post("/tasks/<slug>/board/snapshots")
@requires(Permission.SHARE_BOARD)
def post_snapshot(slug: str) -> Response:
    """Freeze the board under the weights in the form."""
    chosen = chosen_weights(request.form)
    frozen = attempt(lambda: platform().leaderboard.freeze_board(slug, **chosen.arguments()))
    if frozen.value is not None:
        return go_to(f"/tasks/{slug}/board/snapshots/{frozen.value.snapshot_id}", "board-frozen")
    return board_page(slug, chosen, frozen.problem)


@blueprint.get("/tasks/<slug>/board/snapshots/<snapshot_id>")
@requires(Permission.USE_PAGES)
def get_snapshot(slug: str, snapshot_id: str) -> Response:
    """Show a frozen board and how to cite it."""
    reads = page_reads()
    task = reads.read(platform().annotation.task, slug)
    found = reads.read(platform().leaderboard.board_snapshot, snapshot_id).needed()
    if found.task_slug != slug:
        raise not_found("snapshot", "snapshot_id")
    rules = task_rules(task.needed())
    title = _("Models on %(task)s, ranked", task=rules.title)
    address = own_address(f"/tasks/{slug}/board/snapshots/{snapshot_id}")
    key = f"dynabench-{slug}-{found.sha256[:12]}"
    return page(
        "model_boards/snapshot.html",
        task=rules,
        board=board_view(ModelBoard.blank(**found.board)),
        found=found,
        as_of=moment(found.as_of),
        made=moment(found.created_at),
        citation=bibtex(key, title, found.as_of, found.sha256, address),
    )


@blueprint.get("/tasks/<slug>/board.tex")
@requires(Permission.USE_PAGES)
def get_latex(slug: str) -> Response:
    """Send the board as a LaTeX table."""
    chosen = chosen_weights(request.args)
    found = everybody().leaderboard.model_board(slug, **chosen.asked(), scores=False)
    address = own_address(f"/tasks/{slug}/board?{urlencode(chosen.query())}".rstrip("?"))
    content = latex_table(found, slug, address).encode()
    return download(iter((content,)), f"{slug}-models-{found.digest}.tex", f"{LATEX}; charset=utf-8")


@blueprint.get("/tasks/<slug>/board/badges/<model>.svg")
@requires(Permission.USE_PAGES)
@shown_on_other_sites
def get_badge(slug: str, model: str) -> Response:
    """Send a model's place as a badge for other websites."""
    chosen = chosen_weights(request.args)
    found = everybody().leaderboard.model_board(slug, **chosen.asked(), scores=False)
    row = _row(found, model)
    if not row.is_published:
        raise not_found("model", "model")
    return Response(badge(slug, row, found.as_of), content_type=SVG)


@blueprint.get("/tasks/<slug>/board/widget")
@requires(Permission.USE_PAGES)
@shown_on_other_sites
def get_widget(slug: str) -> Response:
    """Show the first models of the board, for a frame on other websites."""
    chosen = chosen_weights(request.args)
    task = page_reads().read(everybody().annotation.task, slug)
    found = everybody().leaderboard.model_board(slug, **chosen.asked(), scores=False)
    board = board_view(found)
    return page(
        "model_boards/widget.html",
        title=task.needed().title,
        board=board,
        rows=board.published[:MOST_SHOWN],
        address=own_address(f"/tasks/{slug}/board?{urlencode(chosen.query())}".rstrip("?")),
    )


@blueprint.get("/tasks/<slug>/board/hub/<model>.yaml")
@requires(Permission.USE_PAGES)
def get_eval_results(slug: str, model: str) -> Response:
    """Send a model's scores in the Hugging Face Hub's format; `owner` is the owner of the datasets there."""
    found = everybody().leaderboard.model_board(slug, scores=False)
    owner = request.args.get("owner", "").strip() or "OWNER"
    hub_ids = {each.name: f"{owner}/{each.name}" for each in found.datasets}
    content = eval_results(found, _row(found, model), hub_ids, own_address(f"/tasks/{slug}/board"))
    return download(iter((content.encode(),)), f"{model}.yaml", YAML)


@blueprint.get("/tasks/<slug>/board/benchmarks/<dataset>/eval.yaml")
@requires(Permission.USE_PAGES)
def get_eval_yaml(slug: str, dataset: str) -> Response:
    """Send a released round's `eval.yaml`, which makes its copy on the Hugging Face Hub a benchmark."""
    task = page_reads().read(platform().annotation.task, slug)
    found = platform().leaderboard.model_board(slug, scores=False)
    known = next((each for each in found.datasets if each.name == dataset and each.round_number), None)
    if known is None:
        raise not_found("dataset", "dataset")
    rules = task_rules(task.needed())
    written = [each.name for each in rules.written if each.is_free_text]
    context = [f"context_{each.name}" for each in rules.context if each.is_free_text]
    if not written and not context:
        raise not_found("dataset", "dataset")
    column = f"input_{written[0]}" if written else context.pop()
    description = f"{rules.title}, round {known.round_number}: {known.items} items written to fool models."
    content = eval_yaml(dataset, description, column, context, rules.labels)
    return download(iter((content.encode(),)), "eval.yaml", YAML)


def everybody() -> Dynabench:
    """Return an anonymous client of the platform, so that shared content shows only public models."""
    return platform().acting_as()


def _row(found: ModelBoard, model: str) -> ModelRow:
    row = next((each for each in found.rows if each.model == model), None)
    if row is None:
        raise not_found("model", "model")
    return row
