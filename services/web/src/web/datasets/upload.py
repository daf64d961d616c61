"""Upload of a dataset for scoring by an owner: all of its lines or none."""

import json

from dynabench_client import ProblemError, UnreachableError
from dynabench_client.results.models import ScoredDataset
from dynabench_common.auth.permissions import Permission, ensure, requires
from dynabench_common.problems import Problem
from flask import Blueprint, Response, g

from web.datasets.scored_view import ACCESS, OPEN
from web.kit.configuration import Field, TaskRules, task_rules
from web.kit.dependencies import platform
from web.kit.form import text
from web.kit.language import _, running
from web.kit.line_files import LARGEST_FILE_BYTES, given_lines, take_files
from web.kit.line_problems import LineProblems, line_problems
from web.kit.numbers import megabytes
from web.kit.problems import ProblemView, problem_view
from web.kit.rendering import go_to, page

LICENCE = "CC-BY-4.0"
FIELDS = ("name", "title", "access", "licence", "file")

blueprint = Blueprint("dataset_upload", __name__)


blueprint.before_request(take_files)


@blueprint.get("/tasks/<slug>/datasets/new")
@requires(Permission.MANAGE_TASK)
def get_upload(slug: str) -> Response:
    """Show the form."""
    return _form(slug)


@blueprint.post("/tasks/<slug>/datasets/new")
@requires(Permission.MANAGE_TASK)
def post_upload(slug: str) -> Response:
    """Make a dataset for scoring from the file."""
    ensure(Permission.MANAGE_TASK, task=slug)
    try:
        added = _upload(slug)
    except (ProblemError, UnreachableError) as err:
        if isinstance(err, ProblemError) and err.status == 401:
            raise
        lines = line_problems(err.document) if isinstance(err, ProblemError) else None
        return _form(slug, problem_view(err, g.get("request_id", "")), lines)
    except Problem as err:
        return _form(slug, problem_view(err, g.get("request_id", "")))
    return go_to(f"/datasets/scored/{added.dataset_id}", "dataset-uploaded")


def _upload(slug: str) -> ScoredDataset:
    """Forward the file. Raises Problem if it is missing or too large, ProblemError if it is refused."""
    lines = given_lines(
        remedy_when_large=_("Split it into two datasets."),
        remedy_when_missing=_("Choose a file with one item a line."),
    )
    return platform().evaluations.add_dataset(
        slug,
        text("name"),
        lines,
        title=text("title") or None,
        access=text("access") or None,
        licence=text("licence") or None,
    )


def _form(slug: str, problem: ProblemView | None = None, lines: LineProblems | None = None) -> Response:
    ensure(Permission.MANAGE_TASK, task=slug)
    rules = task_rules(platform().annotation.task(slug))
    return page(
        "datasets/upload.html",
        problem.status if problem else 200,
        task=rules,
        expected=expected_line(rules),
        access={name: _(words) for name, words in ACCESS.items()},
        given={
            "access": text("access") or OPEN,
            "licence": text("licence") if problem else LICENCE,
            "name": text("name"),
            "title": text("title"),
        },
        largest=megabytes(LARGEST_FILE_BYTES),
        problem=problem,
        at_fault=problem.field if problem and problem.field in FIELDS else "",
        lines=lines,
    )


def expected_line(rules: TaskRules) -> str:
    """Return an example line of a file for this task."""
    line: dict[str, object] = {"id": "1"}
    if rules.context:
        line["context"] = {each.name: _example(each) for each in rules.context}
    line["input"] = {each.name: _example(each) for each in rules.written}
    line["label"] = _example(rules.claimed) if rules.claimed else ""
    return json.dumps({**line, "tags": ["any-tag"]}, ensure_ascii=False)


def _example(field: Field) -> object:
    if field.is_marked:
        return {"start": 0, "end": 4, "text": _("the words from start to end")}
    if field.labels:
        return field.labels[0] if field.is_one_label else [field.labels[0]]
    if field.type == "image":
        return {"image_id": "…", "alt": _("what the image shows")}
    return _("the %(field)s", field=running(field.label))
