"""The route that takes files of contexts."""

from collections.abc import Iterator

from dynabench_api.annotation import UploadedContextsAnswer
from dynabench_common.auth.permissions import Permission, requires
from dynabench_common.http.json_line_bodies import NDJSON, body_of_lines, stream_of_body
from dynabench_common.http.service import json_response
from dynabench_tasks.fields import InputRefused
from dynabench_tasks.json_lines import LIMITS, Limits, Line, read_lines
from flask import Response, request
from flask_openapi import APIBlueprint

from annotation.domain.identifiers import RoundId
from annotation.entrypoints.http.access import dependencies, ensure_owner_of_round
from annotation.entrypoints.http.schemas import RoundPath
from annotation.service_layer.context_upload import upload_contexts

FILE = body_of_lines('One {"fields": {...}, "tags": [...]}')

blueprint = APIBlueprint("context_uploads", __name__, url_prefix="/api/annotation/v1")


@blueprint.post(
    "/rounds/<round_id>/contexts/upload", request_body=FILE, responses={201: UploadedContextsAnswer}
)
@requires(Permission.MANAGE_TASK)
def post_context_upload(path: RoundPath) -> Response:
    """Add the contexts of a file to a round, all or none. The body is read as a stream."""
    ensure_owner_of_round(path.round_id)
    added = upload_contexts(RoundId(path.round_id), lines_of_body(LIMITS), dependencies())
    return json_response(UploadedContextsAnswer(added=added), 201)


def lines_of_body(limits: Limits, first_line: int = 1) -> Iterator[Line]:
    """Return the lines of the request's body, the first numbered as given. Raises InputRefused."""
    if request.mimetype != NDJSON:
        raise InputRefused(
            "Content-Type", f"is {request.mimetype or 'missing'}", f"Send the file as {NDJSON}."
        )
    return read_lines(stream_of_body(limits.file_bytes), limits, first_line)
