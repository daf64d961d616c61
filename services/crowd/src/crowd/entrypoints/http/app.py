"""The HTTP application."""

from dynabench_common.http.dead_letter_routes import dead_letters_blueprint
from dynabench_common.http.openapi import PublishedApp
from dynabench_common.http.service import service_app
from dynabench_common.own_data import own_data_blueprint
from dynabench_common.settings import load

from crowd.adapters import tables
from crowd.bootstrap import build_dependencies
from crowd.entrypoints.http import assignments, campaigns, fair_play, money, work
from crowd.entrypoints.http.access import dependencies
from crowd.entrypoints.http.errors import ERRORS
from crowd.entrypoints.http.private_tasks import private_tasks
from crowd.service_layer.dependencies import Dependencies
from crowd.settings import CrowdSettings


def create_app(needed: Dependencies | None = None) -> PublishedApp:
    """Return the application; without collaborators they are built from the environment."""
    needed = needed or build_dependencies(load(CrowdSettings))
    app = service_app("crowd", verifier=needed.verifier, error_map=ERRORS, ready=needed.check_ready)
    dependencies.provide(app, needed)
    for module in (campaigns, assignments, work, money, fair_play):
        app.register_api(module.blueprint)
    app.register_api(dead_letters_blueprint("crowd", tables.outbox, lambda: needed.engine))
    app.register_api(own_data_blueprint("crowd", tables.OWN, lambda: needed.engine))
    private_tasks(needed.engine).install(app)
    return app
