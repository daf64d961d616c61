"""Guidelines of a task, written by its owner next to a preview for readers.

They are a key of the configuration. Saving them makes its next version, in which nothing else changes.
"""

from dynabench_client.results.annotation import Task
from dynabench_common.auth.permissions import Permission, ensure, requires
from dynabench_tasks.configuration.yaml_text import parse_yaml
from flask import Blueprint, Response, request

from web.configure.text_edit import with_values
from web.kit.configuration import task_rules
from web.kit.dependencies import platform
from web.kit.markdown import render_markdown
from web.kit.outcomes import attempt
from web.kit.problems import ProblemView
from web.kit.rendering import go_to, page

KEY = "instructions"
LARGEST_FORM_BYTES = 200_000
SAVE = "save"

blueprint = Blueprint("guidelines", __name__)


@blueprint.before_request
def _take_long_texts() -> None:
    """Limit of a request: the longest guidelines, with three bytes a character."""
    request.max_content_length = LARGEST_FORM_BYTES
    request.max_form_memory_size = LARGEST_FORM_BYTES


@blueprint.get("/tasks/<slug>/guidelines")
@requires(Permission.MANAGE_TASK)
def get_guidelines(slug: str) -> Response:
    """Show the current guidelines."""
    ensure(Permission.MANAGE_TASK, task=slug)
    task = platform().annotation.task(slug)
    return _guidelines_page(task, str(task.configuration.get(KEY) or ""))


@blueprint.post("/tasks/<slug>/guidelines")
@requires(Permission.MANAGE_TASK)
def post_guidelines(slug: str) -> Response:
    """Show the preview for readers, or store the guidelines."""
    ensure(Permission.MANAGE_TASK, task=slug)
    client = platform().annotation
    task = client.task(slug)
    text = request.form.get("guidelines", "").replace("\r\n", "\n")
    if request.form.get("action") != SAVE:
        return _guidelines_page(task, text)
    stored = client.version(slug, task.configuration_version).yaml
    outcome = attempt(lambda: client.configure_task(slug, _with_guidelines(stored, text)))
    if outcome.value is not None:
        return go_to(f"/tasks/{slug}/versions", "version-saved")
    return _guidelines_page(task, text, outcome.problem)


def _with_guidelines(stored: str, text: str) -> str:
    """Return the configuration with new guidelines."""
    document = parse_yaml(stored).document
    known = document if isinstance(document, dict) else {}
    return with_values(stored, {**known, KEY: text})


def _guidelines_page(task: Task, text: str, problem: ProblemView | None = None) -> Response:
    return page(
        "configure/guidelines.html",
        problem.status if problem else 200,
        task=task_rules(task),
        version=task.configuration_version,
        text=text,
        shown=render_markdown(text) if text.strip() else "",
        problem=problem,
    )
