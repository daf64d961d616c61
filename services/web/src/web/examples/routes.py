"""The page of a public example, reports about it, and hiding it."""

from uuid import UUID

from dynabench_client import ProblemError
from dynabench_client.results.annotation import Example
from dynabench_common.auth.permissions import Permission, requires
from flask import Blueprint, Response, request

from web.examples.example_view import example_view
from web.kit import session
from web.kit.configuration import task_rules
from web.kit.dependencies import platform
from web.kit.language import _
from web.kit.outcomes import attempt
from web.kit.parallel import Part, page_reads
from web.kit.problems import ProblemView
from web.kit.public_examples import example_address, readers_rules
from web.kit.rendering import go_to, page
from web.kit.round_actions import given_reason

blueprint = Blueprint("public_examples", __name__, url_prefix="/examples/<uuid:example_id>")


@blueprint.get("")
@requires(Permission.USE_PAGES)
def get_example(example_id: UUID) -> Response:
    """Show an example."""
    return _example_page(example_id)


@blueprint.post("/reports")
@requires(Permission.REPORT_EXAMPLE)
def post_report(example_id: UUID) -> Response:
    """Report the example to the task's owners."""
    reason = given_reason(_("Say what is wrong with the text."))
    if reason.value is None:
        return _example_page(example_id, reason.problem, "report")
    said = reason.value
    outcome = attempt(lambda: platform().public_examples.report(str(example_id), said))
    if outcome.value is None:
        return _example_page(example_id, outcome.problem, "report")
    return go_to(example_address(str(example_id)), "example-reported")


@blueprint.post("/hidden")
@requires(Permission.HIDE_EXAMPLE)
def post_hidden(example_id: UUID) -> Response:
    """Hide the example everywhere: its author, or with a reason an owner of its task."""
    reason = request.form.get("reason", "").strip() or None
    outcome = attempt(lambda: platform().public_examples.hide(str(example_id), reason))
    if outcome.value is None:
        return _example_page(example_id, outcome.problem, "hide")
    slug = request.form.get("task", "")
    if slug:
        return go_to(f"/tasks/{slug}/reports", "example-hidden")
    return go_to(f"{example_address(str(example_id))}/hidden")


@blueprint.get("/hidden")
@requires(Permission.HIDE_EXAMPLE)
def get_hidden(example_id: UUID) -> Response:
    """Confirm to an author that the example is hidden, and offer to show it again."""
    return page("examples/hidden.html", example_id=str(example_id), problem=None, is_known=True)


@blueprint.post("/shown")
@requires(Permission.HIDE_EXAMPLE)
def post_shown(example_id: UUID) -> Response:
    """Stop hiding one's own example."""
    outcome = attempt(lambda: platform().public_examples.show(str(example_id)))
    if outcome.value is None:
        problem = outcome.problem
        return page(
            "examples/hidden.html",
            problem.status if problem else 200,
            example_id=str(example_id),
            problem=problem,
            is_known=True,
        )
    return go_to(example_address(str(example_id)), "example-shown")


def _example_page(example_id: UUID, problem: ProblemView | None = None, form: str = "") -> Response:
    """Return the page, after a refusal with the problem of that form."""
    client, reads = platform(), page_reads()
    viewer = session.viewer()
    own = reads.read(client.annotation.example, str(example_id)) if viewer.is_signed_in else None
    read = reads.read(client.public_examples.get, str(example_id))
    try:
        found = read.needed()
    except ProblemError as err:
        if err.status != 404 or not _is_author(own, str(example_id)):
            raise
        return page("examples/hidden.html", example_id=str(example_id), problem=None, is_known=False)
    task = reads.read(client.annotation.task, found.task_slug).needed()
    rules = readers_rules(task_rules(task))
    return page(
        "examples/page.html",
        problem.status if problem else 200,
        task=rules,
        example=example_view(found, task, rules),
        owns=viewer.owns(found.task_slug),
        is_author=_is_author(own, found.example_id),
        problem=problem,
        form=form,
        reason=request.form.get("reason", ""),
    )


def _is_author(own: Part[Example] | None, example_id: str) -> bool:
    """Return whether the reader wrote the example, which the example itself does not tell."""
    mine = own.value() if own else None
    return mine is not None and mine.example_id == example_id and mine.author_id == session.viewer().person_id
