"""The contexts of a round, for its owner: the list with their use, and adding some.

They are added from a file, from pasted lines, or from another round. The annotation service takes all or none.
"""

from collections.abc import Iterator
from uuid import UUID

from dynabench_client import ProblemError, UnreachableError
from dynabench_client.results.annotation import ContextsUploaded, Round, Task
from dynabench_common.auth.permissions import Permission, ensure, requires
from dynabench_common.problems import Problem
from flask import Blueprint, Response, abort, g, request

from web.kit.configuration import TaskRules, task_rules
from web.kit.dependencies import platform
from web.kit.language import _
from web.kit.line_files import (
    LARGEST_FILE_BYTES,
    LINES,
    ROWS,
    given_file,
    given_lines,
    is_csv,
    is_too_large,
    take_files,
)
from web.kit.line_problems import LineProblems, line_problems
from web.kit.numbers import megabytes
from web.kit.problems import ProblemView, problem_view
from web.kit.rendering import go_to, page
from web.kit.round_actions import round_address
from web.kit.rounds import UNFINISHED, RoundView, round_view
from web.rounds.context_lines import lines_of_csv, lines_of_round, lines_of_text, pasted_field
from web.rounds.contexts_view import context_rows, expected_line, policy_words

PAGE = 50

blueprint = Blueprint("contexts", __name__)


blueprint.before_request(take_files)


@blueprint.get("/tasks/<slug>/contexts")
@requires(Permission.MANAGE_TASK)
def get_task_contexts(slug: str) -> Response:
    """Redirect to the contexts of the newest round, preferably one in use; without any, explain how to draft one."""
    ensure(Permission.MANAGE_TASK, task=slug)
    task = platform().annotation.task(slug)
    rounds = sorted(task.rounds, key=lambda found: (found.state in UNFINISHED, found.number))
    if rounds:
        return go_to(f"/rounds/{rounds[-1].round_id}/contexts")
    return page("rounds/no_round.html", task=task_rules(task))


@blueprint.get("/rounds/<uuid:round_id>/contexts")
@requires(Permission.MANAGE_TASK)
def get_contexts(round_id: UUID) -> Response:
    """List the contexts with their use."""
    return _contexts_page(platform().annotation.round(str(round_id)))


@blueprint.post("/rounds/<uuid:round_id>/contexts")
@requires(Permission.MANAGE_TASK)
def post_contexts(round_id: UUID) -> Response:
    """Add the contexts of a file: all of its lines or none."""
    found = platform().annotation.round(str(round_id))
    ensure(Permission.MANAGE_TASK, task=found.task_slug)
    try:
        added = _upload(found)
    except (ProblemError, UnreachableError) as err:
        if isinstance(err, ProblemError) and err.status == 401:
            raise
        lines = line_problems(err.document) if isinstance(err, ProblemError) else None
        return _contexts_page(found, problem_view(err, g.get("request_id", "")), lines)
    except Problem as err:
        return _contexts_page(found, problem_view(err, g.get("request_id", "")))
    return go_to(f"/rounds/{round_id}/contexts", "contexts-added", added=str(added.added))


@blueprint.post("/rounds/<uuid:round_id>/contexts/copies")
@requires(Permission.MANAGE_TASK)
def post_copies(round_id: UUID) -> Response:
    """Add the contexts of another round of the task: all that are in use or none."""
    found = platform().annotation.round(str(round_id))
    ensure(Permission.MANAGE_TASK, task=found.task_slug)
    source = platform().annotation.round(request.form.get("round_id", ""))
    if source.task_slug != found.task_slug:
        abort(404)
    try:
        added = platform().annotation.upload_contexts(found.round_id, lines_of_round(source.round_id))
    except ProblemError as err:
        if err.status == 401:
            raise
        return _contexts_page(found, problem_view(err, g.get("request_id", "")), line_problems(err.document))
    return go_to(f"/rounds/{round_id}/contexts", "contexts-added", added=str(added.added))


def _upload(found: Round) -> ContextsUploaded:
    """Forward the contexts. Raises Problem if they are missing or unreadable, ProblemError if they are refused."""
    annotation = platform().annotation
    return annotation.upload_contexts(found.round_id, _lines(task_rules(annotation.task(found.task_slug))))


def _pasted() -> str:
    """Return the pasted lines of the current request; empty if it is a file, or too large to be read."""
    if is_too_large() or request.mimetype in (LINES, ROWS):
        return ""
    return request.form.get("pasted", "").strip()


def _lines(rules: TaskRules) -> Iterator[bytes]:
    remedies = (
        _("Split it and send the parts one after the other."),
        _("Choose a file, or paste one text per line."),
    )
    if pasted := _pasted():
        return lines_of_text(pasted, rules)
    return lines_of_csv(given_file(*remedies), rules) if is_csv() else given_lines(*remedies)


def _contexts_page(
    found: Round, problem: ProblemView | None = None, lines: LineProblems | None = None
) -> Response:
    ensure(Permission.MANAGE_TASK, task=found.task_slug)
    client = platform()
    task = client.annotation.task(found.task_slug)
    rules = task_rules(task)
    listed = client.annotation.contexts(found.round_id, limit=PAGE, cursor=request.args.get("cursor"))
    return page(
        "rounds/contexts.html",
        problem.status if problem else 200,
        task=rules,
        round=round_view(found),
        base=round_address(found),
        total=found.contexts,
        takes_work=found.state in UNFINISHED and not found.is_collected_elsewhere,
        policy=policy_words(task.configuration),
        contexts=context_rows(listed.items, rules),
        next_cursor=listed.next_cursor,
        is_first=not request.args.get("cursor"),
        expected=expected_line(rules),
        pasted_label=pasted.label if (pasted := pasted_field(rules)) else "",
        pasted_text=_pasted() if problem else "",
        largest=megabytes(LARGEST_FILE_BYTES),
        largest_bytes=LARGEST_FILE_BYTES,
        added=request.args.get("added", type=int),
        problem=problem,
        lines=lines,
        others=_other_rounds(task, found),
    )


def _other_rounds(task: Task, found: Round) -> list[RoundView]:
    rounds = sorted(task.rounds, key=lambda each: -each.number)
    return [round_view(each) for each in rounds if each.round_id != found.round_id]
