"""The HTTP application, and beside it the thread of the reconciler."""

import threading

from dynabench_common import http
from dynabench_common.openapi import PublishedApp
from dynabench_common.settings import load

from registry.bootstrap import Dependencies, build_dependencies
from registry.entrypoints.http import models
from registry.settings import RegistrySettings


def create_app(dependencies: Dependencies | None = None) -> PublishedApp:
    """Return the application; without `dependencies` they are built from the environment."""
    needed = dependencies or build_dependencies(load(RegistrySettings))
    app = http.create_app("registry", verifier=needed.verifier, ready=needed.check_ready)
    app.extensions[models.EXTENSION] = needed
    app.register_api(models.blueprint)
    return app


def create_served_app() -> PublishedApp:
    """Return the application with its reconciler running; gunicorn calls this in the worker, after the fork."""
    needed = build_dependencies(load(RegistrySettings))
    threading.Thread(
        target=needed.reconciler.run, args=(threading.Event(),), name="reconciler", daemon=True
    ).start()
    return create_app(needed)
