"""The route that takes files of contexts."""

from dynabench_common.http import json_response
from dynabench_common.json_line_bodies import body_of_lines
from dynabench_common.permissions import Permission, requires
from dynabench_tasks.json_lines import LIMITS
from flask import Response
from flask_openapi import APIBlueprint

from annotation.domain.identifiers import RoundId
from annotation.entrypoints.http.access import application, ensure_owner_of_round
from annotation.entrypoints.http.ndjson_bodies import lines_of_body
from annotation.entrypoints.http.schemas import RoundPath, UploadedContextsAnswer
from annotation.service_layer.context_upload import UploadContexts, upload_contexts

FILE = body_of_lines('One {"fields": {...}, "tags": [...]}')

blueprint = APIBlueprint("context_uploads", __name__, url_prefix="/api/annotation/v1")


@blueprint.post(
    "/rounds/<round_id>/contexts/upload", request_body=FILE, responses={201: UploadedContextsAnswer}
)
@requires(Permission.MANAGE_TASK)
def post_context_upload(path: RoundPath) -> Response:
    """Add the contexts of a file to a round, all or none; the body is read as it comes."""
    ensure_owner_of_round(path.round_id)
    command = UploadContexts(RoundId(path.round_id), lines_of_body(LIMITS))
    return json_response(
        UploadedContextsAnswer(added=upload_contexts(command, application().dependencies)), 201
    )
