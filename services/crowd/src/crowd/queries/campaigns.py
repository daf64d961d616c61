"""Reads of campaigns for their owners."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

from dynabench_api.crowd import CampaignAnswer
from sqlalchemy import Connection, Engine, func, select

from crowd.adapters.campaigns import find_campaign, to_campaign
from crowd.adapters.reviews import open_appeals
from crowd.adapters.tables import assignment, campaign
from crowd.adapters.work_done import done_by_campaign
from crowd.domain.campaign import Campaign, entry_url
from crowd.domain.platforms import CrowdPlatform
from crowd.queries.money import money_of_campaigns


@dataclass(frozen=True)
class Campaigns:
    """Reads campaigns; `public_url` is the origin of the pages."""

    engine: Engine
    platforms: Mapping[str, CrowdPlatform]
    public_url: str

    def one(self, campaign_id: UUID) -> CampaignAnswer:
        """Return a campaign. Raises CampaignUnknown."""
        with self.engine.connect() as connection:
            return self._answers(connection, [find_campaign(connection, campaign_id)])[0]

    def of_round(self, round_id: UUID) -> tuple[CampaignAnswer, ...]:
        """Return a round's campaigns, newest first."""
        newest = (
            select(campaign).where(campaign.c.round_id == round_id).order_by(campaign.c.created_at.desc())
        )
        with self.engine.connect() as connection:
            return self._answers(connection, [to_campaign(row) for row in connection.execute(newest)])

    def _answers(self, connection: Connection, campaigns: Sequence[Campaign]) -> tuple[CampaignAnswer, ...]:
        ids = [each.campaign_id for each in campaigns]
        counts, done = _counts(connection, ids), done_by_campaign(connection, ids)
        money, appeals = money_of_campaigns(connection, ids), open_appeals(connection, ids)
        return tuple(
            CampaignAnswer(
                **vars(each.terms),
                **money[each.campaign_id],
                campaign_id=each.campaign_id,
                task=each.task_slug,
                round_id=each.round_id,
                state=each.state,
                study_id=each.study_id,
                study_url=self._study_url(each),
                entry_url=entry_url(each.campaign_id, self.public_url),
                problem=each.problem,
                counts=counts[each.campaign_id],
                open_appeals=appeals.get(each.campaign_id, 0),
                units_done=done[each.campaign_id].units,
                validated_errors=done[each.campaign_id].errors,
                created_at=each.created_at,
                launched_at=each.launched_at,
                ended_at=each.ended_at,
            )
            for each in campaigns
        )

    def _study_url(self, of: Campaign) -> str | None:
        platform = self.platforms.get(of.platform)
        return None if platform is None or of.study_id is None else platform.study_url(of.study_id)


def _counts(connection: Connection, ids: Sequence[UUID]) -> Mapping[UUID, dict[str, int]]:
    counted = (
        select(assignment.c.campaign_id, assignment.c.state, func.count())
        .where(assignment.c.campaign_id.in_(ids))
        .group_by(assignment.c.campaign_id, assignment.c.state)
    )
    found: dict[UUID, dict[str, int]] = defaultdict(dict)
    for campaign_id, state, number in connection.execute(counted):
        found[campaign_id][state] = number
    return found
