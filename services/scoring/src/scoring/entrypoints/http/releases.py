"""Routes: preview a release, request it, and read its progress."""

from dynabench_api.datasets import PreviewAnswer, ReleaseAnswer
from dynabench_common.auth.permissions import Permission, requires, signed_in_person
from dynabench_common.http.service import json_response
from flask import Response
from flask_openapi import APIBlueprint

from scoring.entrypoints.http.dependencies import dependencies, ensure_in_round
from scoring.entrypoints.http.schemas import (
    PreviewQuery,
    ReleaseBody,
    ReleasePath,
    RoundPath,
    preview_answer,
)
from scoring.service_layer.releases import RequestRelease, preview_release, request_release

blueprint = APIBlueprint("releases", __name__, url_prefix="/api/scoring/v1")


@blueprint.get("/rounds/<uuid:round_id>/release/preview", responses={200: PreviewAnswer})
@requires(Permission.RELEASE_ROUND)
def get_preview(path: RoundPath, query: PreviewQuery) -> Response:
    """Preview the content of a release and the reasons against it."""
    ensure_in_round(Permission.RELEASE_ROUND, path.round_id)
    found, plan = preview_release(path.round_id, query.options(), dependencies())
    return json_response(preview_answer(found, plan))


@blueprint.post("/rounds/<uuid:round_id>/releases", responses={202: ReleaseAnswer})
@requires(Permission.RELEASE_ROUND)
def post_release(path: RoundPath, body: ReleaseBody) -> Response:
    """Release a round: freeze it as a dataset. A worker builds the dataset."""
    ensure_in_round(Permission.RELEASE_ROUND, path.round_id)
    command = RequestRelease(path.round_id, signed_in_person(), body.options())
    release = request_release(command, dependencies())
    return json_response(ReleaseAnswer.model_validate(release), 202)


@blueprint.get("/releases/<uuid:release_id>", responses={200: ReleaseAnswer})
@requires(Permission.RELEASE_ROUND)
def get_release(path: ReleasePath) -> Response:
    """Read the progress of a release."""
    with dependencies().unit_of_work() as uow:
        release = uow.releases.get(path.release_id)
    ensure_in_round(Permission.RELEASE_ROUND, release.round_id)
    return json_response(ReleaseAnswer.model_validate(release))
