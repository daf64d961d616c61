"""The page of a conversation, the same for the author and for owners. Neither sees who the other is."""

from functools import partial
from uuid import UUID

from dynabench_client.results.validation import ExampleThread
from dynabench_common.auth.permissions import Permission, requires
from flask import Blueprint, Response

from web.kit import form
from web.kit.answers import shown_values
from web.kit.configuration import task_rules
from web.kit.content_notice import notice_before
from web.kit.dependencies import platform
from web.kit.outcomes import attempt
from web.kit.parallel import page_reads
from web.kit.problems import ProblemView
from web.kit.rendering import go_to, page
from web.threads.owners import begin_owners, mentioned_in, owners_of
from web.threads.thread_view import entries

blueprint = Blueprint("threads", __name__)


@blueprint.get("/examples/<uuid:example_id>/thread")
@requires(Permission.USE_OWN_PAGES)
def get_thread(example_id: UUID) -> Response:
    """Show the conversation."""
    return _thread_page(str(example_id))


@blueprint.post("/examples/<uuid:example_id>/thread")
@requires(Permission.USE_OWN_PAGES)
def post_message(example_id: UUID) -> Response:
    """Write to the other side."""
    text, client = form.text("text"), platform()
    owners = owners_of(client.annotation.example(str(example_id)).task_slug) if "@" in text else []
    mentioned = mentioned_in(text, owners)
    outcome = attempt(partial(client.validation.write_message, str(example_id), text, mentioned))
    if outcome.problem is not None:
        return _thread_page(str(example_id), text, outcome.problem)
    return go_to(f"/examples/{example_id}/thread", "message-sent")


def _thread_page(example_id: str, text: str = "", problem: ProblemView | None = None) -> Response:
    client, reads = platform(), page_reads()
    reading = reads.read(client.annotation.example, example_id)
    found: ExampleThread = reads.read(client.validation.thread, example_id).needed()
    example = reading.needed()
    begin_owners(example.task_slug)
    rules = task_rules(reads.read(client.annotation.task, example.task_slug).needed())
    notice = notice_before(rules)
    if notice is not None:
        return notice
    return page(
        "threads/page.html",
        problem.status if problem else 200,
        task=rules,
        example_id=example_id,
        texts=shown_values(example.input, rules),
        is_author=found.is_author,
        can_write=found.can_write,
        entries=entries(found),
        owners=[each.name for each in owners_of(example.task_slug)],
        tries=f"/rounds/{example.round_id}/tries",
        text=text,
        problem=problem,
    )
