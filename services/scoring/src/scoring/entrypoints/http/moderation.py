"""Routes: reports about public examples, and hiding examples."""

from uuid import UUID

from dynabench_api.public_examples import (
    ExampleReportAnswer,
    HiddenExampleAnswer,
    OwnerHiddenExampleAnswer,
    OwnerHiddenExamplesAnswer,
    ReportedExampleAnswer,
    ReportedExamplesAnswer,
)
from dynabench_common.auth.permissions import (
    Permission,
    current_principal,
    ensure,
    is_allowed,
    requires,
    signed_in_person,
)
from dynabench_common.http.schemas import cut_page
from dynabench_common.http.service import json_response
from flask import Response
from flask_openapi import APIBlueprint

from scoring.domain.errors import OwnExample, PublicExampleUnknown, ReasonMissing
from scoring.domain.moderation import Outcome
from scoring.entrypoints.http.dependencies import dependencies
from scoring.entrypoints.http.public_example_schemas import (
    HideBody,
    ModerationQuery,
    PublicExamplePath,
    ReasonedBody,
    ReportBody,
    TaskPath,
)
from scoring.queries import public_examples
from scoring.service_layer.moderation import (
    Moderate,
    ReportExample,
    hide_example,
    keep_example,
    report_example,
    show_example,
)

blueprint = APIBlueprint("moderation", __name__, url_prefix="/api/scoring/v1")


@blueprint.post("/public-examples/<uuid:example_id>/reports", responses={201: ExampleReportAnswer})
@requires(Permission.REPORT_EXAMPLE)
def post_report(path: PublicExamplePath, body: ReportBody) -> Response:
    """Report a public example to the task's owners. A second report replaces the reason of an open one."""
    command = ReportExample(path.example_id, signed_in_person(), body.reason)
    return json_response(ExampleReportAnswer.model_validate(report_example(command, dependencies())), 201)


@blueprint.get("/tasks/<slug>/reports", responses={200: ReportedExamplesAnswer})
@requires(Permission.MODERATE_EXAMPLES)
def get_reports(path: TaskPath, query: ModerationQuery) -> Response:
    """List the examples of a task with open reports."""
    ensure(Permission.MODERATE_EXAMPLES, task=path.slug)
    found = public_examples.reported(dependencies().engine, path.slug, query.after(), query.limit + 1)
    page, cursor = cut_page(found, query.limit, lambda each: each.example_id)
    items = tuple(ReportedExampleAnswer.model_validate(each) for each in page)
    return json_response(ReportedExamplesAnswer(items=items, next_cursor=cursor))


@blueprint.get("/tasks/<slug>/hidden-examples", responses={200: OwnerHiddenExamplesAnswer})
@requires(Permission.MODERATE_EXAMPLES)
def get_hidden(path: TaskPath, query: ModerationQuery) -> Response:
    """List the examples of a task that its owners hide."""
    ensure(Permission.MODERATE_EXAMPLES, task=path.slug)
    found = public_examples.hidden_by_owners(dependencies().engine, path.slug, query.after(), query.limit + 1)
    page, cursor = cut_page(found, query.limit, lambda each: each.example_id)
    items = tuple(OwnerHiddenExampleAnswer.model_validate(each) for each in page)
    return json_response(OwnerHiddenExamplesAnswer(items=items, next_cursor=cursor))


@blueprint.put("/public-examples/<uuid:example_id>/hidden", responses={200: HiddenExampleAnswer})
@requires(Permission.HIDE_EXAMPLE)
def put_hidden(path: PublicExamplePath, body: HideBody) -> Response:
    """Hide an example everywhere: your own, or as an owner of the task with a reason. Its reports are closed."""
    command = _moderated(path.example_id, body.reason or "")
    if not (command.by_author or command.reason):
        raise ReasonMissing
    return _outcome(hide_example(command, dependencies()))


@blueprint.delete("/public-examples/<uuid:example_id>/hidden", responses={200: HiddenExampleAnswer})
@requires(Permission.HIDE_EXAMPLE)
def delete_hidden(path: PublicExamplePath) -> Response:
    """End the hiding of your own example; that by owners stays. Owners show an example with `shown` and a reason."""
    command = _moderated(path.example_id)
    if not command.by_author:
        raise ReasonMissing
    return _outcome(show_example(command, dependencies()))


@blueprint.put("/public-examples/<uuid:example_id>/kept", responses={200: HiddenExampleAnswer})
@requires(Permission.MODERATE_EXAMPLES)
def put_kept(path: PublicExamplePath, body: ReasonedBody) -> Response:
    """Close the reports about an example without hiding it."""
    return _outcome(keep_example(_decided(path.example_id, body.reason), dependencies()))


@blueprint.put("/public-examples/<uuid:example_id>/shown", responses={200: HiddenExampleAnswer})
@requires(Permission.MODERATE_EXAMPLES)
def put_shown(path: PublicExamplePath, body: ReasonedBody) -> Response:
    """Stop hiding an example of another person, with a reason. What its author hides stays hidden."""
    return _outcome(show_example(_decided(path.example_id, body.reason), dependencies()))


def _decided(example_id: UUID, reason: str) -> Moderate:
    """Return an owner's decision about an example of another person. Raises Problem 403, OwnExample."""
    with dependencies().unit_of_work() as uow:
        about = uow.moderation.example(example_id)
    ensure(Permission.MODERATE_EXAMPLES, task=about.task_slug)
    if about.author_id == signed_in_person():
        raise OwnExample
    return Moderate(about, signed_in_person(), reason=reason)


def _moderated(example_id: UUID, reason: str = "") -> Moderate:
    """Return what the caller wants with an example that is theirs, or of a task that they own.

    Raises Problem 403; to others an example that is not public does not exist: PublicExampleUnknown.
    """
    person_id = signed_in_person()
    with dependencies().unit_of_work() as uow:
        about = uow.moderation.example(example_id)
        is_public = uow.moderation.is_public(example_id)
    by_author = about.author_id == person_id
    if not (by_author or is_allowed(Permission.MODERATE_EXAMPLES, current_principal(), about.task_slug)):
        if not is_public:
            raise PublicExampleUnknown
        ensure(Permission.MODERATE_EXAMPLES, task=about.task_slug)
    return Moderate(about, person_id, by_author, reason)


def _outcome(found: Outcome) -> Response:
    answer = HiddenExampleAnswer(
        example_id=str(found.example_id), is_hidden=found.is_hidden, reports_closed=found.reports_closed
    )
    return json_response(answer)
