"""The route that takes files of contexts."""

from io import BufferedReader
from typing import cast

from dynabench_common.http import json_response
from dynabench_common.permissions import Permission, requires
from flask import Response, request
from flask_openapi import APIBlueprint

from annotation.domain.fields import InputRefused
from annotation.domain.identifiers import RoundId
from annotation.entrypoints.http.access import application, ensure_owner_of_round
from annotation.entrypoints.http.schemas import RoundPath, UploadedContextsAnswer
from annotation.entrypoints.ndjson import LIMITS, read_lines
from annotation.service_layer.context_upload import UploadContexts, upload_contexts

NDJSON = "application/x-ndjson"
BUFFER_BYTES = 65_536
FILE = {
    "required": True,
    "content": {
        NDJSON: {
            "schema": {
                "type": "string",
                "description": 'One {"fields": {...}, "tags": [...]} on each line, UTF-8',
            }
        }
    },
}

blueprint = APIBlueprint("context_uploads", __name__, url_prefix="/api/annotation/v1")


@blueprint.post(
    "/rounds/<round_id>/contexts/upload", request_body=FILE, responses={201: UploadedContextsAnswer}
)
@requires(Permission.MANAGE_TASK)
def post_context_upload(path: RoundPath) -> Response:
    """Add the contexts of a file to a round, all or none; the body is read as it comes."""
    ensure_owner_of_round(path.round_id)
    command = UploadContexts(RoundId(path.round_id), read_lines(_body()))
    return json_response(
        UploadedContextsAnswer(added=upload_contexts(command, application().dependencies)), 201
    )


def _body() -> BufferedReader:
    """Return the request's body; what is too large is for the reader to say, with the line. Raises InputRefused."""
    if request.mimetype != NDJSON:
        raise InputRefused(
            "Content-Type", f"is {request.mimetype or 'missing'}", f"Send the file as {NDJSON}."
        )
    request.max_content_length = max(request.content_length or 0, LIMITS.file_bytes) + 1
    return BufferedReader(cast("BufferedReader", request.stream), BUFFER_BYTES)
