"""The agent's HTTP application."""

from collections.abc import Callable

from dynabench_archives.model_servers import Pool
from dynabench_common.auth.authentication import Verifier, remote_verifier
from dynabench_common.http.openapi import PublishedApp
from dynabench_common.http.service import service_app
from dynabench_common.settings import load

from model_agent.bootstrap import Dependencies, build_dependencies
from model_agent.entrypoints.http.routes import ERRORS, EXTENSION, blueprint
from model_agent.settings import AgentSettings


def create_app(
    settings: AgentSettings, needed: Dependencies, verifier: Verifier | None = None
) -> PublishedApp:
    """Return the application."""
    app = service_app(
        "model-agent",
        verifier=verifier or remote_verifier(settings),
        error_map=ERRORS,
        ready=_check_ready(needed),
    )
    app.extensions[EXTENSION] = needed
    app.register_api(blueprint)
    return app


def create_served_app() -> PublishedApp:
    """Return the application, made from the environment; gunicorn calls this in its one worker."""
    settings = load(AgentSettings)
    return create_app(settings, build_dependencies(settings))


def _check_ready(needed: Dependencies) -> Callable[[], None]:
    def check() -> None:
        """Raise unless TorchServe takes our key."""
        needed.pools.find(Pool.SHARED).served()

    return check
