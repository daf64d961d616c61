"""The HTTP application."""

import gevent
from dynabench_common.http.openapi import PublishedApp
from dynabench_common.http.service import UNPACKS, service_app
from dynabench_common.settings import load

from gateway.bootstrap import build_dependencies
from gateway.entrypoints.http import inference, models
from gateway.entrypoints.http.asking import dependencies as provided
from gateway.entrypoints.http.body import MAX_BODY_BYTES
from gateway.entrypoints.http.errors import ERRORS, with_error_member
from gateway.service_layer.dependencies import Dependencies
from gateway.settings import GatewaySettings


def create_app(dependencies: Dependencies | None = None) -> PublishedApp:
    """Return the application; without `dependencies` they are built from the environment."""
    needed = dependencies or build_dependencies(load(GatewaySettings))
    app = service_app(
        "gateway",
        verifier=needed.verifier,
        error_map=ERRORS,
        ready=needed.routes.check_loaded,
    )
    app.config.update({"MAX_CONTENT_LENGTH": MAX_BODY_BYTES, UNPACKS: True})
    provided.provide(app, needed)
    app.register_api(models.blueprint)
    app.register_api(inference.blueprint)
    app.after_request(with_error_member)
    return app


def create_served_app() -> PublishedApp:
    """Return the application with its background refresh of the routes running."""
    needed = build_dependencies(load(GatewaySettings))
    gevent.spawn(needed.routes.run)
    return create_app(needed)
