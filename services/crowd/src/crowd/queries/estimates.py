"""Expected time, hourly pay and cost of a campaign.

The time of an assignment is the median of the campaign's own assignments once there is one. Before, it is the median
of equal amounts of such work on the task, by anybody: as many consecutive tries or votes of a person in a round as an
assignment has units. A vote has its seconds from lease to vote. A try has its seconds since its context was shown, or
since the person's previous try if that was later. More than 30 minutes count as 30 minutes, since they hold a break.
"""

from dataclasses import dataclass
from typing import Any
from uuid import UUID

from dynabench_events.crowd import Work
from sqlalchemy import Connection, Engine, Select, extract, func, literal, select

from crowd.adapters.rounds import SqlRounds
from crowd.adapters.tables import assignment, example, round_, vote
from crowd.domain.campaign import Terms
from crowd.domain.money import Rates, hourly_minor, most_bonus_minor, top_up_minor

LONGEST_UNIT_SECONDS = 30 * 60
MEDIAN = 0.5


@dataclass(frozen=True)
class Measured:
    """The median seconds of an assignment, from `n` measurements; None without one."""

    seconds: float | None
    on: str
    n: int

    @property
    def minutes(self) -> float | None:
        """Return the median in minutes, with one decimal."""
        return None if self.seconds is None else round(self.seconds / 60, 1)


NOTHING = Measured(None, "nothing", 0)


def measured(
    connection: Connection, round_id: UUID, work: Work, units: int, campaign_id: UUID | None = None
) -> Measured:
    """Return the median time of an assignment of the campaign, or else of such work on its task.

    Raises RoundUnknown.
    """
    own = NOTHING if campaign_id is None else _median(connection, _of_campaign(campaign_id), "campaign")
    if own.n:
        return own
    task_id = SqlRounds(connection).get(round_id).task_id
    units_of_work = tries_of_task(task_id) if work is Work.CREATE else votes_of_task(task_id)
    return _median(connection, _equal_amounts(units_of_work, units), "task")


def pay_estimate(
    engine: Engine,
    round_id: UUID,
    terms: Terms,
    cost_minor: int,
    rates: Rates,
    campaign_id: UUID | None = None,
) -> dict[str, Any]:
    """Return expected time, hourly pay and cost; `cost_minor` are rewards and fees. Raises RoundUnknown."""
    with engine.connect() as connection:
        found = measured(connection, round_id, terms.work, terms.units, campaign_id)
    floor = rates.floor.get(terms.currency, 0)
    top_up = top_up_minor(terms.reward_minor, found.seconds, floor)
    return {
        "minutes": found.minutes,
        "measured_on": found.on,
        "n": found.n,
        "hourly_minor": hourly_minor(terms.reward_minor, found.seconds),
        "floor_minor": floor,
        "recommended_minor": rates.recommended.get(terms.currency, 0),
        "is_below_floor": top_up > 0,
        "top_up_minor": top_up,
        "cost_minor": cost_minor,
        "most_bonus_minor": most_bonus_minor(terms.bonus_minor, terms.units, terms.places),
        "currency": terms.currency,
    }


def _of_campaign(campaign_id: UUID) -> Select[Any]:
    """Select the seconds of the campaign's assignments that were handed in."""
    seconds = extract("epoch", assignment.c.submitted_at - assignment.c.accepted_at)
    handed_in = (assignment.c.campaign_id == campaign_id, assignment.c.submitted_at.is_not(None))
    return select(seconds.label("seconds")).where(*handed_in)


def tries_of_task(task_id: UUID) -> Select[Any]:
    """Select person, round, order and seconds of tries on a task."""
    before = func.lag(example.c.created_at).over(
        partition_by=(example.c.author_id, example.c.round_id), order_by=example.c.created_at
    )
    since_previous = extract("epoch", example.c.created_at - before)
    return select(
        example.c.author_id.label("person_id"),
        example.c.round_id,
        example.c.created_at.label("at"),
        func.least(example.c.seconds, since_previous).label("seconds"),
    ).where(example.c.task_id == task_id, example.c.author_id.is_not(None), example.c.seconds > 0)


def votes_of_task(task_id: UUID) -> Select[Any]:
    """Select person, round, order and seconds of votes on a task."""
    return (
        select(
            vote.c.voter_id.label("person_id"),
            vote.c.round_id,
            vote.c.cast_at.label("at"),
            vote.c.seconds,
        )
        .join(round_, round_.c.round_id == vote.c.round_id)
        .where(round_.c.task_id == task_id, vote.c.seconds > 0)
    )


def _equal_amounts(work: Select[Any], units: int) -> Select[Any]:
    """Select the seconds of each full amount of consecutive units by one person in one round."""
    unit = work.subquery().c
    number = func.row_number().over(partition_by=(unit.person_id, unit.round_id), order_by=unit.at)
    numbered = select(
        unit.person_id,
        unit.round_id,
        ((number - 1) // literal(units)).label("amount"),
        func.least(unit.seconds, LONGEST_UNIT_SECONDS).label("seconds"),
    ).subquery()
    return (
        select(func.sum(numbered.c.seconds).label("seconds"))
        .group_by(numbered.c.person_id, numbered.c.round_id, numbered.c.amount)
        .having(func.count() == units)
    )


def _median(connection: Connection, seconds: Select[Any], on: str) -> Measured:
    each = seconds.subquery().c.seconds
    median, n = connection.execute(
        select(func.percentile_cont(MEDIAN).within_group(each.asc()), func.count())
    ).one()
    return Measured(float(median), on, n) if n else NOTHING
