"""The worker's watch over hourly pay: it reports a campaign below the operator's floor, once."""

from datetime import datetime

from dynabench_events.crowd import CampaignPayLow

from crowd.adapters.unit_of_work import UnitOfWork
from crowd.domain.campaign import Campaign
from crowd.domain.money import Rates, hourly_minor, is_time_to_judge, top_up_minor
from crowd.queries.estimates import measured
from crowd.service_layer.dependencies import Dependencies


def find_low_pay(app: Dependencies) -> bool:
    """Report campaigns whose own median pay is below the floor; return whether there were any."""
    with app.unit_of_work() as uow:
        watched = [each for each in uow.campaigns.with_open_work() if each.pay_low_at is None]
    is_any = False
    for each in watched:
        with app.unit_of_work() as uow:
            campaign = uow.campaigns.lock(each.campaign_id)
            found = _low_pay(campaign, uow, app.rates, app.clock.now())
            if found is not None and campaign.pay_low_at is None:
                campaign.pay_is_low(found)
                uow.campaigns.save(campaign)
                uow.commit()
                is_any = True
    return is_any


def _low_pay(campaign: Campaign, uow: UnitOfWork, rates: Rates, now: datetime) -> CampaignPayLow | None:
    """Return the report on a campaign; None if its pay is not low, or too few people have handed in."""
    terms = campaign.terms
    found = measured(uow.connection, campaign.round_id, terms.work, terms.units, campaign.campaign_id)
    floor = rates.floor.get(terms.currency, 0)
    top_up = top_up_minor(terms.reward_minor, found.seconds, floor)
    hourly = hourly_minor(terms.reward_minor, found.seconds)
    if found.on != "campaign" or not is_time_to_judge(found.n, terms.places) or not top_up or hourly is None:
        return None
    return CampaignPayLow(
        campaign_id=campaign.campaign_id,
        round_id=campaign.round_id,
        task_slug=campaign.task_slug,
        hourly_minor=hourly,
        floor_minor=floor,
        top_up_minor=top_up,
        currency=terms.currency,
        found_at=now,
    )
