"""Editor of task configurations: the text, its problems, and the changes that saving it would make.

The annotation service checks everything. These pages only show its findings, next to the screens that annotators would
see. A text is checked while it is written (with scripts) or by a button (without); only saving stores it.
"""

from dataclasses import dataclass, field, replace

from dynabench_client.results.annotation import ConfigurationChange, TaskSummary
from dynabench_common.auth.permissions import Permission, ensure, requires
from dynabench_tasks.configuration.yaml_text import UnusableYaml
from flask import Blueprint, Response, request

from web.configure.editor_view import CheckView, check_view
from web.configure.form_changes import put_into
from web.configure.form_page import FormPage, form_page
from web.configure.preview import PreviewView, preview_view
from web.configure.task_right import ask_page, is_newly_granted, known_tasks, startable
from web.configure.templates import MOST_COPIED, USUAL, copied, named, template_text, templates
from web.configure.text_edit import NotEditable
from web.kit import session
from web.kit.dependencies import platform
from web.kit.outcomes import attempt
from web.kit.parallel import page_reads
from web.kit.problems import ProblemView
from web.kit.rendering import go_to, page

LARGEST_FORM_BYTES = 2_000_000

blueprint = Blueprint("editor", __name__)


@dataclass(frozen=True)
class Draft:
    """A text in the editor; `slug` and `version` name the task to change, if it exists."""

    text: str
    slug: str = ""
    title: str = ""
    version: int = 0
    is_stored: bool = False
    template: str = ""
    is_start: bool = False

    @property
    def address(self) -> str:
        """Address to which the form is sent."""
        return f"/tasks/{self.slug}/edit" if self.slug else "/tasks/new"


@dataclass(frozen=True)
class Findings:
    """The service's check of a text."""

    check: CheckView | None = None
    preview: PreviewView | None = None
    problem: ProblemView | None = None
    form: FormPage = field(default_factory=FormPage)


@blueprint.before_request
def _take_long_texts() -> None:
    """Limit of a request: the longest configuration twice (text and form), with three bytes a character."""
    request.max_content_length = LARGEST_FORM_BYTES
    request.max_form_memory_size = LARGEST_FORM_BYTES


@blueprint.get("/tasks/new")
@requires(Permission.USE_OWN_PAGES)
def get_new() -> Response:
    """Show the editor with a template or the configuration of a task; without the right, show how to ask for it."""
    reads = page_reads()
    chosen, slug = request.args.get("from", USUAL), request.args.get("task", "")
    asking = reads.read(platform().accounts.my_task_request)
    copying = reads.read(platform().annotation.task, slug) if slug else None
    tasks = known_tasks()
    free = startable(tasks)
    if free == []:
        asked = asking.value()
        if is_newly_granted(asked):
            session.renew()
            free = startable(tasks)
        if free == []:
            return ask_page(asked)
    if copying:
        task = copying.needed()
        stored = platform().annotation.version(slug, task.configuration_version)
        draft = Draft(copied(task, stored.yaml), template=f"task-{slug}", is_start=True)
    else:
        draft = Draft(template_text(chosen), template=chosen, is_start=True)
    if free:
        draft = replace(draft, text=named(draft.text, free[0]))
    return _editor(draft, _examine(draft))


@blueprint.post("/tasks/new")
@requires(Permission.CREATE_TASK)
def post_new() -> Response:
    """Check the configuration, or create the task."""
    draft = Draft(_text(), template=request.form.get("template", ""))
    if request.form.get("action") != "save":
        return _editor(draft, _examine(draft))
    outcome = attempt(lambda: platform().annotation.create_task(draft.text))
    if outcome.value is not None:
        return go_to(f"/tasks/{outcome.value.slug}/manage", "task-created")
    return _refused(draft, outcome.problem)


@blueprint.get("/tasks/<slug>/edit")
@requires(Permission.MANAGE_TASK)
def get_edit(slug: str) -> Response:
    """Show the editor with the configuration in force."""
    ensure(Permission.MANAGE_TASK, task=slug)
    task = platform().annotation.task(slug)
    stored = platform().annotation.version(slug, task.configuration_version)
    draft = _draft_of(task, stored.yaml, is_stored=True)
    return _editor(draft, _examine(draft))


@blueprint.post("/tasks/<slug>/edit")
@requires(Permission.MANAGE_TASK)
def post_edit(slug: str) -> Response:
    """Check the configuration, or put it in force as the next version."""
    ensure(Permission.MANAGE_TASK, task=slug)
    draft = _draft_of(platform().annotation.task(slug), _text())
    if request.form.get("action") != "save":
        return _editor(draft, _examine(draft))
    outcome = attempt(lambda: platform().annotation.configure_task(slug, draft.text))
    if outcome.value is not None:
        return go_to(f"/tasks/{slug}/versions", "version-saved")
    return _refused(draft, outcome.problem)


@blueprint.post("/tasks/configuration-preview")
@requires(Permission.CREATE_TASK)
def post_preview() -> Response:
    """Send the problems of the text, its changes, and the preview if the text is valid."""
    draft = Draft(_text(), request.form.get("slug", ""))
    return page(
        "configure/findings.html",
        draft=draft,
        found=_examine(draft),
        is_refresh=True,
        is_changed=draft.text != _written(),
        sequence=request.form.get("sequence", ""),
    )


def _draft_of(task: TaskSummary, text: str, *, is_stored: bool = False) -> Draft:
    return Draft(text, task.slug, task.title or task.slug, task.configuration_version, is_stored)


def _written() -> str:
    return request.form.get("configuration", "").replace("\r\n", "\n")


def _text() -> str:
    """Return the text with the form's changes; an unreadable text is returned unchanged.

    The address of a new task follows its title for administrators: others have the right to one address.
    """
    posted = dict(request.form.lists())
    change = request.form.get("change") or request.form.get("pressed", "")
    try:
        follows = not request.form.get("slug") and session.viewer().principal.is_admin
        return put_into(_written(), posted, change, is_new=follows)
    except (UnusableYaml, NotEditable, RecursionError):
        return _written()


def _examine(draft: Draft) -> Findings:
    """Check a text; for an existing task, also list the changes."""
    client = platform()
    checked = attempt(lambda: client.annotation.check_configuration(draft.text))
    if checked.value is None:
        return Findings(problem=checked.problem, form=form_page(draft.text))
    change: ConfigurationChange | None = None
    problem: ProblemView | None = None
    if draft.slug and checked.value.valid and not draft.is_stored:
        rehearsed = attempt(lambda: client.annotation.configure_task(draft.slug, draft.text, dry_run=True))
        change, problem = rehearsed.value, rehearsed.problem
    configuration = checked.value.configuration if checked.value.valid else None
    preview = preview_view(configuration) if configuration else None
    check = check_view(checked.value, change)
    return Findings(check, preview, problem, form_page(draft.text, check.problems))


def _refused(draft: Draft, problem: ProblemView | None) -> Response:
    """Show the editor again with the refusal and, for a fault in the text, its position."""
    found = _examine(draft)
    return _editor(draft, replace(found, problem=problem))


def _editor(draft: Draft, found: Findings) -> Response:
    tasks = [] if draft.slug else known_tasks()
    return page(
        "configure/editor.html",
        found.problem.status if found.problem else 200,
        startable=None if draft.slug else startable(tasks),
        draft=draft,
        found=found,
        is_refresh=False,
        templates=[] if draft.slug else templates(draft.template),
        tasks=tasks[:MOST_COPIED],
    )
