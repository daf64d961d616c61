"""Dependencies of routes: the collaborators, the caller, and rights that depend on the ownership of a task."""

from uuid import UUID

from dynabench_common.auth.permissions import Permission, ensure
from dynabench_common.http.service import Provided

from crowd.adapters.rounds import Round
from crowd.domain.campaign import Campaign
from crowd.domain.errors import AssignmentUnknown
from crowd.queries.campaigns import Campaigns
from crowd.queries.work import Works
from crowd.service_layer.dependencies import Dependencies

dependencies = Provided[Dependencies]()


def campaigns() -> Campaigns:
    """Return the reader of campaigns."""
    needed = dependencies()
    return Campaigns(needed.engine, needed.platforms, needed.public_url)


def works() -> Works:
    """Return the reader of workers' assignments."""
    return Works(dependencies().engine, dependencies().platforms)


def owned_round(round_id: UUID) -> Round:
    """Return the round, refusing callers who do not run its campaigns. Raises RoundUnknown or Problem."""
    with dependencies().unit_of_work() as uow:
        found = uow.rounds.get(round_id)
    ensure(Permission.MANAGE_CAMPAIGNS, task=found.task_slug)
    return found


def owned_campaign(campaign_id: UUID) -> Campaign:
    """Return the campaign, refusing callers who do not run it. Raises CampaignUnknown or Problem."""
    with dependencies().unit_of_work() as uow:
        found = uow.campaigns.get(campaign_id)
    ensure(Permission.MANAGE_CAMPAIGNS, task=found.task_slug)
    return found


def campaign_of_assignment(assignment_id: UUID) -> Campaign:
    """Return the assignment's campaign, refusing callers who do not run it. Raises AssignmentUnknown or Problem."""
    with dependencies().unit_of_work() as uow:
        found = uow.assignments.find(assignment_id)
    if found is None:
        raise AssignmentUnknown
    return owned_campaign(found.campaign_id)
