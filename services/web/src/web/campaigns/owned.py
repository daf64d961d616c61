"""Finding the campaign that an owner's page is about."""

from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any
from uuid import UUID

from dynabench_client.results.annotation import Round, Task
from dynabench_client.results.crowd import Campaign, Platform
from dynabench_common.auth.permissions import Permission, ensure
from dynabench_common.problems import not_found

from web.campaigns.campaign_view import campaign_view
from web.kit.configuration import TaskRules, task_rules
from web.kit.dependencies import platform
from web.kit.parallel import ParallelFetch
from web.kit.round_actions import round_address
from web.kit.rounds import round_view


@dataclass(frozen=True)
class OwnedCampaign:
    """A campaign with its task and its platform; without one, the list of platforms could not be read."""

    task: Task
    campaign: Campaign
    platform: Platform | None

    @property
    def campaign_id(self) -> str:
        """The id of the campaign."""
        return self.campaign.campaign_id

    @property
    def round(self) -> Round:
        """The round that people of the campaign work in."""
        return next(each for each in self.task.rounds if each.round_id == self.campaign.round_id)

    @property
    def pays_by_hand(self) -> bool:
        """Return whether the owner pays people, since the platform does not."""
        return self.platform is not None and not self.platform.pays

    @cached_property
    def rules(self) -> TaskRules:
        """The part of the task's configuration that pages need."""
        return task_rules(self.task)

    def address(self, *parts: str) -> str:
        """Return the address of a page about the campaign."""
        return "/".join((campaign_address(self.task.slug, self.campaign_id), *parts))

    def views(self) -> dict[str, Any]:
        """Return what the frame of every page about the campaign needs."""
        return {
            "task": self.rules,
            "round": round_view(self.round),
            "base": round_address(self.round),
            "campaign": campaign_view(self.campaign, self.platform),
            "here": self.address(),
            "pays_by_hand": self.pays_by_hand,
        }


def campaign_address(slug: str, campaign_id: str) -> str:
    """Return the address of a campaign's page."""
    return f"/tasks/{slug}/campaigns/{campaign_id}"


def owned_campaign(slug: str, campaign_id: UUID) -> OwnedCampaign:
    """Return the campaign.

    Raises Problem 401 and 403 for those who don't look after the task, 404 without such a campaign in the task.
    """
    ensure(Permission.MANAGE_CAMPAIGNS, task=slug)
    client = platform()
    with ParallelFetch() as parts:
        asked = parts.read(partial(client.annotation.task, slug))
        listed = parts.read(client.crowd.platforms)
        campaign = client.crowd.campaign(str(campaign_id))
        task, platforms = asked.needed(), listed.value() or ()
    if campaign.task != slug:
        raise not_found("campaign", "campaign_id")
    return OwnedCampaign(
        task, campaign, next((each for each in platforms if each.name == campaign.platform), None)
    )
