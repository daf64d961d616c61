"""The HTTP application."""

from dynabench_common.auth.private_tasks import PrivateTasks
from dynabench_common.http.dead_letter_routes import dead_letters_blueprint
from dynabench_common.http.openapi import PublishedApp
from dynabench_common.http.service import service_app
from dynabench_common.own_data import own_data_blueprint
from dynabench_common.settings import load

from accounts.adapters import tables
from accounts.adapters.traces_of_people import OWN
from accounts.bootstrap import AppDependencies, build_dependencies
from accounts.entrypoints.http import (
    audit,
    groups,
    issuers,
    memberships,
    nicknames,
    own_account,
    people,
    second_factor,
    sessions,
    task_requests,
    tokens,
)
from accounts.entrypoints.http.dependencies import dependencies as provided
from accounts.entrypoints.http.errors import ERRORS
from accounts.notifications import entrypoints as notifications
from accounts.notifications.adapters.rounds import PRIVATE_SLUGS
from accounts.notifications.adapters.tables import OWN as NOTICES_OWN
from accounts.settings import AccountsSettings

OTHER_PARTS = frozenset({"group_id", "invitation_id", "issuer", "session_id", "token_id"})


def create_app(dependencies: AppDependencies | None = None) -> PublishedApp:
    """Return the application; without `dependencies` they are built from the environment."""
    needed = dependencies or build_dependencies(load(AccountsSettings))
    app = service_app(
        "accounts",
        verifier=needed.verifier,
        error_map=ERRORS,
        ready=needed.check_ready,
    )
    provided.provide(app, needed)
    app.register_api(audit.blueprint)
    app.register_api(notifications.mails_blueprint)
    app.register_api(notifications.blueprint)
    app.register_api(sessions.crowd_blueprint)
    for module in (
        *(groups, issuers, memberships, nicknames, own_account, people),
        *(second_factor, sessions, task_requests, tokens),
    ):
        app.register_api(module.blueprint)
    app.register_api(dead_letters_blueprint("accounts", tables.outbox, lambda: needed.engine))
    app.register_api(own_data_blueprint("accounts", (*OWN, *NOTICES_OWN), lambda: needed.engine))
    PrivateTasks(needed.engine.connect, PRIVATE_SLUGS, others=OTHER_PARTS).install(app)
    return app
