"""Leases of people of campaigns, which end as soon as the person stops working."""

from collections.abc import Sequence
from typing import Any, cast

from dynabench_common.events.cloud_events import Event
from dynabench_common.events.facts import values_of
from dynabench_events import message_types, recorded
from dynabench_events.crowd import FREEING, AssignmentStateChanged, Work
from sqlalchemy import BindParameter, Connection, exists, or_

from validation.adapters.gold_tables import gold_showing
from validation.adapters.tables import example_validation, lease

CROWD_TOPICS = ("dynabench.crowd.v1",)
ROUND, PERSON, STOPPED_AT = (BindParameter[Any](name) for name in ("round_id", "person_id", "stopped_at"))
RELEASE = lease.delete().where(
    lease.c.holder_id == PERSON,
    lease.c.granted_at <= STOPPED_AT,
    or_(
        exists().where(
            example_validation.c.example_id == lease.c.resource_id, example_validation.c.round_id == ROUND
        ),
        exists().where(gold_showing.c.showing_id == lease.c.resource_id, gold_showing.c.round_id == ROUND),
    ),
)


class CrowdLeaseProjection:
    """Releases the vote leases of campaign workers. Later leases, for the person's other work, stay."""

    accepts = message_types((AssignmentStateChanged,))

    def apply(self, connection: Connection, events: Sequence[Event]) -> None:
        """End the leases in the rounds of these assignments. Raises PermanentEventError."""
        for event in map(recorded, events):
            changed = cast("AssignmentStateChanged", event.record)
            if changed.work is Work.VALIDATE and changed.state in FREEING:
                given = values_of(changed, "round_id", "person_id", "stopped_at")
                connection.execute(RELEASE, given)
