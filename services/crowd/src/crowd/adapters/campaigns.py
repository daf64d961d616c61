"""Campaigns in PostgreSQL."""

from collections.abc import Callable, Collection, Iterable
from datetime import datetime
from typing import Any
from uuid import UUID

from dynabench_api.words import CampaignState
from dynabench_common.events.outbox import OutboxMessage, outbox_message
from dynabench_events.crowd import Work
from sqlalchemy import ColumnElement, Connection, Row, bindparam, exists, select

from crowd.adapters.tables import assignment, campaign
from crowd.domain.assignment import OPEN
from crowd.domain.campaign import Campaign, Terms
from crowd.domain.errors import CampaignUnknown
from crowd.domain.platforms import CodeAction

Record = Callable[[Iterable[OutboxMessage]], None]
ALIKE = (
    "campaign_id", "round_id", "task_slug", "study_id", "problem", "launching_until", "pay_low_at", "created_by",
    "created_at", "launched_at", "ended_at", "version",
)  # fmt: skip
"""Columns that are attributes of the campaign."""
TERMS = (
    "title", "platform", "units", "places", "reward_minor", "bonus_minor", "screen_out_minor", "currency", "minutes",
)  # fmt: skip
BY_IDS = select(campaign).where(campaign.c.campaign_id.in_(bindparam("campaign_ids", expanding=True)))


class SqlCampaigns:
    """Stored campaigns."""

    def __init__(self, connection: Connection, record: Record) -> None:
        self._connection = connection
        self._record = record

    def add(self, new: Campaign) -> None:
        """Store a new campaign."""
        self._connection.execute(campaign.insert().values(**_columns(new)))

    def get(self, campaign_id: UUID) -> Campaign:
        """Return a campaign. Raises CampaignUnknown."""
        return find_campaign(self._connection, campaign_id)

    def lock(self, campaign_id: UUID) -> Campaign:
        """Return a campaign, whose other commands wait until this one ends. Raises CampaignUnknown."""
        return find_campaign(self._connection, campaign_id, is_locked=True)

    def save(self, changed: Campaign) -> None:
        """Store a changed campaign with its events."""
        self._record(outbox_message(event) for event in changed.take_unsaved())
        where = campaign.c.campaign_id == changed.campaign_id
        self._connection.execute(campaign.update().where(where).values(**_columns(changed)))

    def delete(self, campaign_id: UUID) -> None:
        """Remove a draft."""
        self._connection.execute(campaign.delete().where(campaign.c.campaign_id == campaign_id))

    def of_study(self, platform: str, study_id: str) -> UUID | None:
        """Return the id of the campaign that a platform's study belongs to; None if there is none."""
        found = select(campaign.c.campaign_id).where(
            campaign.c.platform == platform, campaign.c.study_id == study_id
        )
        return self._connection.execute(found).scalar_one_or_none()

    def cut_off(self, now: datetime) -> list[UUID]:
        """Return the campaigns whose launch has begun and not ended."""
        is_cut_off = (campaign.c.state == CampaignState.DRAFT, campaign.c.launching_until <= now)
        return list(self._connection.execute(select(campaign.c.campaign_id).where(*is_cut_off)).scalars())

    def with_open_work(self) -> list[Campaign]:
        """Return campaigns that recruit, and those with people who work or wait for a decision."""
        has_open = _has_assignment(assignment.c.state.in_(OPEN))
        return self._all((campaign.c.state == CampaignState.RUNNING) | has_open)

    def with_late_decisions(self, since: datetime) -> list[Campaign]:
        """Return campaigns with an assignment whose time limit passed after a moment, or has not passed."""
        return self._all(_has_assignment(assignment.c.deadline > since))

    def _all(self, condition: ColumnElement[bool]) -> list[Campaign]:
        found = select(campaign).where(condition).order_by(campaign.c.campaign_id)
        return [to_campaign(row) for row in self._connection.execute(found)]


def _has_assignment(condition: ColumnElement[bool]) -> ColumnElement[bool]:
    return exists().where(assignment.c.campaign_id == campaign.c.campaign_id, condition)


def find_campaign(connection: Connection, campaign_id: UUID, *, is_locked: bool = False) -> Campaign:
    """Return a campaign; if locked, its other commands wait until this one ends. Raises CampaignUnknown."""
    wanted = select(campaign).where(campaign.c.campaign_id == campaign_id)
    row = connection.execute(wanted.with_for_update(key_share=True) if is_locked else wanted).one_or_none()
    if row is None:
        raise CampaignUnknown
    return to_campaign(row)


def find_campaigns(connection: Connection, campaign_ids: Collection[UUID]) -> dict[UUID, Campaign]:
    """Return campaigns by their ids."""
    found = connection.execute(BY_IDS, {"campaign_ids": list(campaign_ids)})
    return {row.campaign_id: to_campaign(row) for row in found}


def to_campaign(row: Row[Any]) -> Campaign:
    """Return the campaign of a row."""
    return Campaign(
        **{name: getattr(row, name) for name in ALIKE},
        state=CampaignState(row.state),
        codes={CodeAction(action): code for action, code in row.codes.items()},
        terms=Terms(
            **{name: getattr(row, name) for name in TERMS},
            work=Work(row.work),
            languages=tuple(row.languages),
            qualifications=tuple(row.qualifications),
        ),
    )


def _columns(of: Campaign) -> dict[str, Any]:
    return {
        **{name: getattr(of, name) for name in ALIKE},
        **{name: getattr(of.terms, name) for name in TERMS},
        "state": of.state,
        "work": of.terms.work,
        "languages": list(of.terms.languages),
        "qualifications": list(of.terms.qualifications),
        "codes": dict(of.codes),
    }
