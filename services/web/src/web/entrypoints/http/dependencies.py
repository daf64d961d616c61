"""What routes are given: the dependencies of the app and the platform as the person at the browser sees it."""

from typing import Any

from dynabench_client import Dynabench
from flask import Flask, current_app, g

from web.bootstrap import Dependencies

EXTENSION = "web"


def provide(app: Flask, needed: Dependencies) -> None:
    """Put the dependencies where `dependencies()` finds them."""
    app.extensions[EXTENSION] = needed


def dependencies() -> Dependencies:
    """Return the dependencies of the app that serves this request."""
    extensions: dict[str, Any] = current_app.extensions
    provided: Dependencies = extensions[EXTENSION]
    return provided


def platform() -> Dynabench:
    """Return the platform, called as the person who sent this request, or as nobody."""
    return dependencies().platform.acting_as(g.get("access_token"), g.get("request_id"))
