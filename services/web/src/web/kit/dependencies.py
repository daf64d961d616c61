"""Dependencies of routes: those of the app, and the platform as the person at the browser sees it."""

from dataclasses import dataclass, field
from typing import Any

from dynabench_client import Dynabench
from dynabench_common.auth.authentication import Authenticates
from dynabench_common.clock import Clock, SystemClock
from flask import Flask, current_app, g

from web.kit.assets import Assets
from web.settings import WebSettings

EXTENSION = "web"
HTMX = "kit/vendor/htmx.min.js"


@dataclass(frozen=True)
class Dependencies:
    """Dependencies of routes; `task_of_round` maps the ids of known rounds to their tasks' slugs."""

    settings: WebSettings
    platform: Dynabench
    verifier: Authenticates
    assets: Assets
    clock: Clock = field(default_factory=SystemClock)
    task_of_round: dict[str, str] = field(default_factory=dict)

    def check_ready(self) -> None:
        """Raise unless pages can be made: all they need in this process is the installed files."""
        self.assets.address(HTMX)


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
