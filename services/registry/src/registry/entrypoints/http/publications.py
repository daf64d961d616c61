"""Routes: model cards, publishing, withdrawing, the decisions of owners, and published models."""

from dynabench_api.submissions import (
    PublishedModel,
    PublishedModelsAnswer,
    WholeSubmission,
)
from dynabench_common.auth.permissions import Permission, current_principal, requires, signed_in_person
from dynabench_common.auth.private_tasks import hidden_tasks
from dynabench_common.http.schemas import cut_page
from dynabench_common.http.service import json_response
from flask import Response
from flask_openapi import APIBlueprint

from registry.domain.errors import ModelUnknown
from registry.domain.submission import SubmissionState
from registry.entrypoints.http.dependencies import decided_on, decides_on, dependencies, own, visible
from registry.entrypoints.http.schemas import (
    CardBody,
    DecisionBody,
    PublicationBody,
    PublishedModelsQuery,
    ReasonBody,
    ServedPath,
    SubmissionPath,
    card_answer,
)
from registry.entrypoints.http.whole_submission import whole
from registry.queries.submissions import Offered, published_models, served_model
from registry.service_layer.deleting import delete
from registry.service_layer.submission_acts import (
    Decision,
    Removal,
    decide,
    publish,
    retire,
    withdraw,
    write_card,
)

blueprint = APIBlueprint("publications", __name__, url_prefix="/api/registry/v1")


@blueprint.post("/submissions/<uuid:submission_id>/decision", responses={200: WholeSubmission})
@requires(Permission.DECIDE_ON_MODELS)
def post_decision(path: SubmissionPath, body: DecisionBody) -> Response:
    """Decide on an archive with code: allow it to run in its sandbox, or decline it."""
    decided_on(path.submission_id)
    decision = Decision(path.submission_id, signed_in_person(), body.reason, body.approve)
    return json_response(whole(decide(decision, dependencies())))


@blueprint.put("/submissions/<uuid:submission_id>/card", responses={200: WholeSubmission})
@requires(Permission.SUBMIT_MODEL)
def put_card(path: SubmissionPath, body: CardBody) -> Response:
    """Replace the model card. A published model stays published."""
    own(path.submission_id)
    return json_response(whole(write_card(path.submission_id, body.card(), dependencies())))


@blueprint.post("/submissions/<uuid:submission_id>/publication", responses={200: WholeSubmission})
@requires(Permission.SUBMIT_MODEL)
def post_publication(path: SubmissionPath, body: PublicationBody) -> Response:
    """Publish a deployed model, with your name or anonymously."""
    own(path.submission_id)
    published = publish(path.submission_id, dependencies(), anonymous=body.anonymous)
    return json_response(whole(published))


@blueprint.post("/submissions/<uuid:submission_id>/withdrawal", responses={200: WholeSubmission})
@requires(Permission.SUBMIT_MODEL)
def post_withdrawal(path: SubmissionPath, body: ReasonBody) -> Response:
    """Withdraw your published model. Its scores stay."""
    own(path.submission_id)
    return json_response(whole(withdraw(_removal(path, body), dependencies())))


@blueprint.post("/submissions/<uuid:submission_id>/retirement", responses={200: WholeSubmission})
@requires(Permission.DECIDE_ON_MODELS)
def post_retirement(path: SubmissionPath, body: ReasonBody) -> Response:
    """Retire a model from a task that you own. Its scores stay."""
    decided_on(path.submission_id)
    return json_response(whole(retire(_removal(path, body), dependencies())))


@blueprint.post("/submissions/<uuid:submission_id>/deletion", responses={200: WholeSubmission})
@requires(Permission.SUBMIT_MODEL)
def post_deletion(path: SubmissionPath, body: ReasonBody) -> Response:
    """Delete a submission: your own, or, with a reason, one to a task of yours. A tombstone and its scores stay."""
    visible(path.submission_id)
    return json_response(whole(delete(_removal(path, body), dependencies())))


@blueprint.get("/published-models", responses={200: PublishedModelsAnswer})
@requires(Permission.READ_PUBLIC)
def get_published_models(query: PublishedModelsQuery) -> Response:
    """List published models, the newest first."""
    found = published_models(
        dependencies().engine, query.task, query.before(), query.limit + 1, hidden_tasks()
    )
    page, next_cursor = cut_page(found, query.limit, lambda each: each.submission.submission_id)
    return json_response(
        PublishedModelsAnswer(items=[_offered(each) for each in page], next_cursor=next_cursor)
    )


@blueprint.get("/published-models/<name>", responses={200: PublishedModel})
@requires(Permission.READ_PUBLIC)
def get_published_model(path: ServedPath) -> Response:
    """Read a published model. Only submitters and owners see a deployed model that is not published.

    For a model that was deleted while published, everybody sees the tombstone.
    """
    found = served_model(dependencies().engine, path.name)
    submission = found.submission
    tombstone = submission.tombstone
    is_public = submission.state is SubmissionState.PUBLISHED or (tombstone and tombstone.was_published)
    is_own = submission.submitted_by == current_principal().person_id
    if not is_public and not is_own and not decides_on(submission.task_slug):
        raise ModelUnknown
    return json_response(_offered(found))


def _removal(path: SubmissionPath, body: ReasonBody) -> Removal:
    return Removal(path.submission_id, signed_in_person(), body.reason)


def _offered(found: Offered) -> PublishedModel:
    submission = found.submission
    is_own = submission.submitted_by == current_principal().person_id
    return PublishedModel(
        name=submission.serving_name or "",
        model=submission.model_name,
        version=submission.version,
        task=submission.task_slug,
        submission_id=submission.submission_id,
        submitted_by=submission.submitted_by if is_own or not submission.anonymous else None,
        submissions_of_team=found.of_team,
        published=submission.state is SubmissionState.PUBLISHED,
        pool=submission.pool,
        size=submission.archive.size,
        digest=submission.archive.digest or None,
        signed_by=submission.signed_by,
        deployed_at=submission.ended_at,
        card=card_answer(submission.card),
        tombstone=submission.tombstone,
    )
