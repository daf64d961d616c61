"""Cost of the validated errors of a round that were paid for."""

from typing import Any
from uuid import UUID

from sqlalchemy import Engine, select

from crowd.adapters.tables import campaign
from crowd.adapters.work_done import done_by_campaign
from crowd.queries.money import money_of_campaigns


def error_costs(engine: Engine, round_id: UUID) -> list[dict[str, Any]]:
    """Return spent amounts and validated errors of a round's campaigns, by currency.

    Fees of platforms are not among what was spent. A bonus that was paid for no error is.
    """
    launched = select(campaign.c.campaign_id, campaign.c.currency).where(
        campaign.c.round_id == round_id, campaign.c.launched_at.is_not(None)
    )
    with engine.connect() as connection:
        currencies = {row.campaign_id: row.currency for row in connection.execute(launched)}
        money = money_of_campaigns(connection, list(currencies))
        done = done_by_campaign(connection, list(currencies))
    return [
        _cost(
            currency,
            sum(money[each]["paid_minor"] + money[each]["owed_minor"] for each in campaigns),
            sum(done[each].errors for each in campaigns),
        )
        for currency in sorted(set(currencies.values()))
        for campaigns in [[each for each, paid_in in currencies.items() if paid_in == currency]]
    ]


def _cost(currency: str, spent_minor: int, errors: int) -> dict[str, Any]:
    return {
        "currency": currency,
        "spent_minor": spent_minor,
        "validated_errors": errors,
        "per_error_minor": round(spent_minor / errors) if errors else None,
    }
