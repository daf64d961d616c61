"""The route of static files."""

from dynabench_common.auth.permissions import Permission, requires
from flask import Blueprint, Response
from werkzeug.exceptions import NotFound

from web.kit.dependencies import dependencies

FOREVER = "public, max-age=31536000, immutable"
LOOK_AGAIN = "no-cache"

blueprint = Blueprint("assets", __name__)


@blueprint.get("/static/<digest>/<path:name>")
@requires(Permission.USE_PAGES)
def get_asset(digest: str, name: str) -> Response:
    """Send a static file; under another digest than ours (an older page's) it is not to be kept."""
    assets = dependencies().assets
    asset = assets.find(name)
    if asset is None:
        raise NotFound
    response = Response(asset.content, content_type=asset.media_type)
    response.headers["Cache-Control"] = FOREVER if digest == assets.digest else LOOK_AGAIN
    return response
