"""The HTTP application, and the task behind each part of its addresses, for private tasks."""

from dynabench_common.auth.private_tasks import PrivateTasks, private_by_newest
from dynabench_common.http.dead_letter_routes import dead_letters_blueprint
from dynabench_common.http.openapi import PublishedApp
from dynabench_common.http.service import service_app
from dynabench_common.own_data import own_data_blueprint
from dynabench_common.settings import load
from sqlalchemy import Engine, select

from crowd.adapters import tables
from crowd.adapters.ledger_tables import payment
from crowd.adapters.tables import assignment, campaign, round_, task_configuration
from crowd.bootstrap import build_dependencies
from crowd.entrypoints.http import assignments, campaigns, fair_play, money, work
from crowd.entrypoints.http.access import dependencies
from crowd.entrypoints.http.errors import ERRORS
from crowd.service_layer.dependencies import Dependencies
from crowd.settings import CrowdSettings

OF_CAMPAIGN = select(campaign.c.task_slug)
OF_ROUND = select(task_configuration.c.slug).join(round_, round_.c.task_id == task_configuration.c.task_id)


def private_tasks(engine: Engine) -> PrivateTasks:
    """Return the private tasks of this service. A person of a campaign is a member of its task."""
    return PrivateTasks(
        engine.connect,
        private_by_newest(task_configuration),
        {
            "round_id": lambda key: OF_ROUND.where(round_.c.round_id == key),
            "campaign_id": lambda key: OF_CAMPAIGN.where(campaign.c.campaign_id == key),
            "assignment_id": lambda key: OF_CAMPAIGN.join(assignment).where(
                assignment.c.assignment_id == key
            ),
            "payment_id": lambda key: OF_CAMPAIGN.join(payment).where(payment.c.payment_id == key),
        },
        {"platform"},
    )


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
