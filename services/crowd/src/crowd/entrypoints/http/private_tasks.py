"""Parts of private tasks in addresses."""

from dynabench_common.auth.private_tasks import PrivateTasks, private_by_newest
from sqlalchemy import Engine, select

from crowd.adapters.ledger_tables import payment
from crowd.adapters.tables import assignment, campaign, round_, task_configuration

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
