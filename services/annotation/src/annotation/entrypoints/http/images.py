"""Routes about images: announce one, have it checked, show it.

Showing needs no token, since an `<img>` cannot send one. Anyone with the id of a completed image, from a context or an
example, sees it. An id always shows the same bytes, so clients may cache them for ever.
"""

from collections.abc import Mapping

from dynabench_api.configurations import ImageAnswer, StartedImageAnswer, UploadAnswer
from dynabench_common.auth.permissions import Permission, requires
from dynabench_common.http.openapi import content
from dynabench_common.http.service import json_response
from flask import Response, request
from flask_openapi import APIBlueprint

from annotation.domain.identifiers import ImageId
from annotation.domain.image import MEDIA_TYPES
from annotation.entrypoints.http.access import dependencies, ensure_may_add_image, signed_in_person
from annotation.entrypoints.http.schemas import ImageBody, ImagePath, TaskPath
from annotation.service_layer.images import (
    StartImage,
    complete_image,
    kept_picture,
    start_image,
    stream_picture,
)

blueprint = APIBlueprint("images", __name__, url_prefix="/api/annotation/v1")
# A picture that is opened by itself is still no page: it runs nothing and loads nothing.
HEADERS: Mapping[str, str] = {
    "Cache-Control": "public, max-age=31536000, immutable",
    "Content-Disposition": "inline",
    "Content-Security-Policy": "default-src 'none'; sandbox",
    "X-Content-Type-Options": "nosniff",
}


@blueprint.post("/tasks/<slug>/images", responses={201: StartedImageAnswer})
@requires(Permission.ADD_IMAGE)
def post_image(path: TaskPath, body: ImageBody) -> Response:
    """Announce an image and get the URL to upload its bytes to."""
    ensure_may_add_image(path.slug)
    command = StartImage(path.slug, signed_in_person(), body.media_type, body.bytes)
    started = start_image(command, dependencies())
    upload = UploadAnswer(url=started.address, method="PUT", headers=dict(started.headers))
    return json_response(StartedImageAnswer(image_id=started.image_id, upload=upload), 201)


@blueprint.post("/images/<image_id>/completion", responses={200: ImageAnswer})
@requires(Permission.ADD_IMAGE)
def post_completion(path: ImagePath) -> Response:
    """Check and store an image after its bytes were sent. Repeating it changes nothing."""
    kept = complete_image(ImageId(path.image_id), signed_in_person(), dependencies())
    answer = ImageAnswer(
        image_id=path.image_id, width=kept.width, height=kept.height, media_type=kept.media_type
    )
    return json_response(answer)


@blueprint.get("/images/<image_id>", responses={200: content(*MEDIA_TYPES), 304: None})
@requires(Permission.READ_PUBLIC)
def get_image(path: ImagePath) -> Response:
    """Show a completed image."""
    app = dependencies()
    kept = kept_picture(ImageId(path.image_id), app)
    if kept.digest in request.if_none_match:
        response = Response(status=304, headers=HEADERS)
    else:
        response = Response(stream_picture(kept, app), headers=HEADERS, content_type=kept.media_type)
        response.content_length = kept.size
    response.set_etag(kept.digest)
    return response
