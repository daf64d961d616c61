"""Routes: send an archive in parts that go straight to the object store."""

from dynabench_api.submissions import PartsAnswer, SignedPart, UploadStateAnswer, WholeSubmission
from dynabench_common.auth.permissions import Permission, requires
from dynabench_common.http.service import json_response
from flask import Response
from flask_openapi import APIBlueprint

from registry.entrypoints.http.dependencies import dependencies, own
from registry.entrypoints.http.schemas import PartsQuery, SubmissionPath
from registry.entrypoints.http.whole_submission import whole
from registry.service_layer.uploading import ADDRESS_SECONDS, complete, sign, uploaded_parts

blueprint = APIBlueprint("uploads", __name__, url_prefix="/api/registry/v1")


@blueprint.get("/submissions/<uuid:submission_id>/upload", responses={200: UploadStateAnswer})
@requires(Permission.SUBMIT_MODEL)
def get_upload(path: SubmissionPath) -> Response:
    """List the parts of an archive that are already stored."""
    submission = own(path.submission_id)
    held = uploaded_parts(submission, dependencies())
    return json_response(UploadStateAnswer(parts=submission.archive.parts, held=held))


@blueprint.post("/submissions/<uuid:submission_id>/upload/parts", responses={200: PartsAnswer})
@requires(Permission.SUBMIT_MODEL)
def post_parts(path: SubmissionPath, body: PartsQuery) -> Response:
    """Get URLs to PUT parts to the object store directly."""
    signed = sign(own(path.submission_id), body.numbers, dependencies())
    parts = [SignedPart(number=number, size=size, url=url) for number, size, url in signed]
    return json_response(PartsAnswer(parts=parts, expires_in_seconds=ADDRESS_SECONDS))


@blueprint.post("/submissions/<uuid:submission_id>/upload/completion", responses={200: WholeSubmission})
@requires(Permission.SUBMIT_MODEL)
def post_completion(path: SubmissionPath) -> Response:
    """Complete the upload. The checks begin."""
    return json_response(whole(complete(own(path.submission_id), dependencies())))
