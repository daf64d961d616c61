"""Release of contexts when a campaign worker stops working.

A context without a try loses its use, so the next person gets it as if it had not been assigned. A late try still
finds its assignment, so no work is lost.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import cast
from uuid import UUID

from dynabench_common.database.bulk import as_document, as_ids, given_rows, is_among
from dynabench_common.events.cloud_events import Event
from dynabench_events import message_types, recorded
from dynabench_events.crowd import FREEING, AssignmentStateChanged, Work
from sqlalchemy import Connection, and_, select

from annotation.adapters.tables import assignment, context, participation

CROWD_TOPICS = ("dynabench.crowd.v1",)
FREED = given_rows((context.c.context_id, context.c.use_count))
GIVE_BACK = (
    context.update()
    .where(context.c.context_id == FREED.c.context_id)
    .values(use_count=context.c.use_count - FREED.c.use_count)
)


class CrowdContextProjection:
    """Releases the open contexts of campaign workers. Later ones, for the person's other work, stay."""

    accepts = message_types((AssignmentStateChanged,))

    def apply(self, connection: Connection, events: Sequence[Event]) -> None:
        """Take the contexts from the people of these assignments. Raises PermanentEventError."""
        changes = (cast("AssignmentStateChanged", event.record) for event in map(recorded, events))
        ended = [each for each in changes if each.work is Work.CREATE and each.state in FREEING]
        # Lock people's places first, then contexts, each in one order, as requests for a context do.
        ordered = sorted(ended, key=lambda each: (each.round_id, each.person_id))
        untried = [_leave(connection, each) for each in ordered]
        _give_back(connection, Counter(context_id for context_id in untried if context_id))


def _leave(connection: Connection, ended: AssignmentStateChanged) -> UUID | None:
    """Take the open context from a person; return it if they have not tried on it."""
    place = and_(participation.c.round_id == ended.round_id, participation.c.person_id == ended.person_id)
    held = and_(
        assignment.c.person_id == participation.c.person_id,
        assignment.c.context_id == participation.c.context_id,
        assignment.c.assigned_at <= ended.stopped_at,
    )
    statement = select(assignment.c.context_id, assignment.c.attempts).join(participation, held).where(place)
    found = connection.execute(statement.with_for_update(key_share=True)).one_or_none()
    if found is None:
        return None
    connection.execute(participation.update().where(place).values(context_id=None))
    return None if found.attempts else found.context_id


def _give_back(connection: Connection, uses: Mapping[UUID, int]) -> None:
    """Count so many uses less of these contexts."""
    if uses:
        held = select(context.c.context_id).where(is_among(context.c.context_id))
        connection.execute(held.order_by(context.c.context_id).with_for_update(key_share=True), as_ids(uses))
        rows = [{"context_id": context_id, "use_count": uses[context_id]} for context_id in sorted(uses)]
        connection.execute(GIVE_BACK, as_document(rows))
