"""Routes: begin submissions, look at them, their logs and entries, and run steps again."""

import hashlib

from dynabench_api.submissions import (
    CreatedSubmission,
    EntryAnswer,
    LogAnswer,
    LogLine,
    QuotaAnswer,
    SubmissionAnswer,
    SubmissionsAnswer,
    WholeSubmission,
)
from dynabench_archives.starter import StarterExample
from dynabench_common.auth.permissions import Permission, ensure, requires, signed_in_person
from dynabench_common.auth.private_tasks import hidden_tasks
from dynabench_common.http.schemas import cut_page
from dynabench_common.http.service import json_response
from flask import Response, request
from flask_openapi import APIBlueprint

from registry.domain.errors import TaskUnknown
from registry.domain.submission import Submission
from registry.entrypoints.http.dependencies import dependencies, own, visible
from registry.entrypoints.http.schemas import (
    EntryQuery,
    LogQuery,
    NewSubmission,
    StarterBody,
    StepPath,
    SubmissionPath,
    SubmissionsQuery,
    submission_fields,
)
from registry.entrypoints.http.whole_submission import whole
from registry.queries.submissions import entry_text, log_lines, submissions
from registry.service_layer.starters import MakeStarter, make_starter
from registry.service_layer.submission_acts import cancel, run_again
from registry.service_layer.uploading import BeginSubmission, begin, quota_of

blueprint = APIBlueprint("submissions", __name__, url_prefix="/api/registry/v1")
LINES_AT_ONCE = 500


@blueprint.post("/submissions", responses={201: CreatedSubmission, 200: CreatedSubmission})
@requires(Permission.SUBMIT_MODEL)
def post_submission(body: NewSubmission) -> Response:
    """Begin a submission. Known bytes, or an unfinished upload of the same file, are recognised."""
    app = dependencies()
    if body.task in hidden_tasks():
        raise TaskUnknown
    if body.webhook is not None:
        app.webhooks.check(body.webhook)
    wish = BeginSubmission(
        signed_in_person(),
        body.task,
        body.model,
        body.file_name,
        body.size,
        body.digest or "",
        body.webhook,
        None if body.signature is None else body.signature.signature(),
    )
    begun = begin(wish, app)
    answer = CreatedSubmission(
        submission=whole(begun.submission), known=begun.known, webhook_secret=begun.webhook_secret
    )
    return json_response(answer, 200 if begun.known else 201)


@blueprint.post("/starter-models", responses={201: WholeSubmission})
@requires(Permission.DECIDE_ON_MODELS)
def post_starter(body: StarterBody) -> Response:
    """Make and submit a weak model for the labels of a task that you own."""
    ensure(Permission.DECIDE_ON_MODELS, task=body.task)
    examples = tuple(StarterExample(tuple(each.texts), tuple(each.labels)) for each in body.examples)
    wish = MakeStarter(signed_in_person(), body.task, body.model, examples)
    return json_response(whole(make_starter(wish, dependencies())), 201)


@blueprint.get("/submissions", responses={200: SubmissionsAnswer})
@requires(Permission.SUBMIT_MODEL)
def get_submissions(query: SubmissionsQuery) -> Response:
    """List your own submissions, or with a task and `mine=false` all submissions to a task of yours."""
    app, person_id = dependencies(), signed_in_person()
    if not query.mine:
        ensure(Permission.DECIDE_ON_MODELS, task=query.task or "")
    found = submissions(
        app.engine,
        person_id=person_id if query.mine else None,
        task=query.task,
        state=query.state,
        before=query.before(),
        limit=query.limit + 1,
        hidden=hidden_tasks(),
    )
    page, next_cursor = cut_page(found, query.limit, lambda each: each.submission_id)
    quota = None if query.task is None else quota_of(person_id, query.task, app)
    answer = SubmissionsAnswer(
        items=[SubmissionAnswer(**submission_fields(each, person_id)) for each in page],
        next_cursor=next_cursor,
        quota=quota
        and QuotaAnswer(task=quota.task, used=quota.used, of=quota.most, next_free_at=quota.free_at),
    )
    return json_response(answer)


@blueprint.get("/submissions/<uuid:submission_id>", responses={200: WholeSubmission, 304: None})
@requires(Permission.SUBMIT_MODEL)
def get_submission(path: SubmissionPath) -> Response:
    """Read a submission with its steps. With `If-None-Match` the answer is 304 if nothing changed."""
    return _tagged(visible(path.submission_id))


@blueprint.post("/submissions/<uuid:submission_id>/cancellation", responses={200: WholeSubmission})
@requires(Permission.SUBMIT_MODEL)
def post_cancellation(path: SubmissionPath) -> Response:
    """Cancel a submission before it is deployed. It then does not count against the quota."""
    own(path.submission_id)
    return json_response(whole(cancel(path.submission_id, dependencies())))


@blueprint.post("/submissions/<uuid:submission_id>/steps/<step>/runs", responses={202: WholeSubmission})
@requires(Permission.SUBMIT_MODEL)
def post_run(path: StepPath) -> Response:
    """Run a step and all later steps again."""
    visible(path.submission_id)
    return json_response(whole(run_again(path.submission_id, path.step, dependencies())), 202)


@blueprint.get("/submissions/<uuid:submission_id>/log", responses={200: LogAnswer})
@requires(Permission.SUBMIT_MODEL)
def get_log(path: SubmissionPath, query: LogQuery) -> Response:
    """Read the log of the checks."""
    visible(path.submission_id)
    rows = log_lines(dependencies().engine, path.submission_id, query.step, query.after, LINES_AT_ONCE)
    lines = [LogLine.model_validate(row) for row in rows]
    return json_response(LogAnswer(lines=lines, next_after=lines[-1].id if lines else query.after))


@blueprint.get("/submissions/<uuid:submission_id>/entries/text", responses={200: EntryAnswer})
@requires(Permission.SUBMIT_MODEL)
def get_entry(path: SubmissionPath, query: EntryQuery) -> Response:
    """Read the text of an entry of the archive."""
    submission = visible(path.submission_id)
    text = entry_text(dependencies().engine, submission.submission_id, query.path)
    return json_response(EntryAnswer(path=query.path, text=text))


def _tagged(submission: Submission) -> Response:
    answer = whole(submission)
    tag = hashlib.sha256(answer.model_dump_json().encode()).hexdigest()[:32]
    response = json_response(answer)
    response.set_etag(tag)
    if tag in request.if_none_match:
        response = Response(status=304)
        response.set_etag(tag)
    return response
