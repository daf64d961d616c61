"""Reads of campaigns for their owners."""

from collections import defaultdict
from collections.abc import Sequence
from uuid import UUID

from dynabench_api.crowd import CampaignAnswer
from sqlalchemy import Connection, func, select

from crowd.adapters.tables import assignment
from crowd.adapters.work_done import done_by_campaign
from crowd.domain.campaign import Campaign
from crowd.queries.money import money_of_campaigns
from crowd.service_layer.campaigns import entry_url
from crowd.service_layer.dependencies import Dependencies


def campaign_answer(campaign_id: UUID, app: Dependencies) -> CampaignAnswer:
    """Return a campaign. Raises CampaignUnknown."""
    with app.unit_of_work() as uow:
        return _answers(uow.connection, [uow.campaigns.get(campaign_id)], app)[0]


def campaigns_of_round(round_id: UUID, app: Dependencies) -> tuple[CampaignAnswer, ...]:
    """Return a round's campaigns, newest first."""
    with app.unit_of_work() as uow:
        return _answers(uow.connection, uow.campaigns.of_round(round_id), app)


def _answers(
    connection: Connection, campaigns: Sequence[Campaign], app: Dependencies
) -> tuple[CampaignAnswer, ...]:
    ids = [each.campaign_id for each in campaigns]
    counts, done, money = (
        _counts(connection, ids),
        done_by_campaign(connection, ids),
        money_of_campaigns(connection, ids),
    )
    return tuple(
        CampaignAnswer(
            **vars(each.terms),
            **money[each.campaign_id],
            campaign_id=each.campaign_id,
            task=each.task_slug,
            round_id=each.round_id,
            state=each.state,
            study_id=each.study_id,
            study_url=_study_url(each, app),
            entry_url=entry_url(each.campaign_id, app),
            problem=each.problem,
            counts=counts[each.campaign_id],
            units_done=done[each.campaign_id].units,
            validated_errors=done[each.campaign_id].errors,
            created_at=each.created_at,
            launched_at=each.launched_at,
            ended_at=each.ended_at,
        )
        for each in campaigns
    )


def _counts(connection: Connection, ids: Sequence[UUID]) -> dict[UUID, dict[str, int]]:
    counted = (
        select(assignment.c.campaign_id, assignment.c.state, func.count())
        .where(assignment.c.campaign_id.in_(ids))
        .group_by(assignment.c.campaign_id, assignment.c.state)
    )
    found: dict[UUID, dict[str, int]] = defaultdict(dict)
    for campaign_id, state, number in connection.execute(counted):
        found[campaign_id][state] = number
    return found


def _study_url(campaign: Campaign, app: Dependencies) -> str | None:
    platform = app.platforms.get(campaign.platform)
    return None if platform is None or campaign.study_id is None else platform.study_url(campaign.study_id)
