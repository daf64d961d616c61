"""The search for a person's next context.

The search walks an index in the policy's order and locks the first row that is not locked by others (SKIP LOCKED). So
people who ask at the same moment get different contexts without waiting. A row used since the statement began is
skipped too, because its place in the order is stale. The second read of the row, by its key, sees the committed use
count; the first saw the index's older count. If nothing is left, the repository walks again, and in the end
waits for the first lock holder.
"""

from collections.abc import Sequence
from random import random
from typing import Any
from uuid import UUID

from dynabench_tasks.configuration.task_configuration import TaskConfiguration
from dynabench_tasks.context_policies import ContextColumn
from sqlalchemy import ColumnElement, Select, and_, exists, not_, select

from annotation.adapters import tables
from annotation.domain.identifiers import ContextId, PersonId, RoundId


class NextContext:
    """The statements that look for a person's next context."""

    def __init__(
        self,
        round_id: RoundId,
        person_id: PersonId,
        configuration: TaskConfiguration,
        avoid: ContextId | None,
        among: Sequence[ContextId] = (),
    ) -> None:
        self._round_id = round_id
        self._person_id = person_id
        self._configuration = configuration
        self._avoid = avoid
        self._among = among
        self._order = configuration.context_policy.order

    def places(self) -> tuple[float, ...]:
        """Return the random numbers of contexts to begin a walk at, one after the other; 0 is the beginning."""
        return (random(), 0.0) if self._order[0] is ContextColumn.SHUFFLE else (0.0,)  # noqa: S311

    def candidates(self, seen: bool) -> Select[UUID]:
        """Select ids of contexts that the person may get, in the policy's order."""
        context = tables.context.c
        return (
            select(context.context_id)
            .where(*self._conditions(tables.context.c, seen))
            .order_by(*(context[column] for column in self._order))
        )

    def unchanged(self, seen: bool, place: float) -> Select[UUID]:
        """Lock and select the first candidate from a place on that is neither locked nor just used.

        The second read of the row, by its key, sees the committed use count; the first saw the index's older one.
        """
        known = tables.context.alias("known")
        now = tables.context
        order = [known.c[column] for column in self._order]
        onwards = [known.c.shuffle >= place] if place else []
        return (
            select(now.c.context_id)
            .join(known, and_(known.c.context_id == now.c.context_id, now.c.use_count <= known.c.use_count))
            .where(*self._conditions(known.c, seen), *onwards)
            .order_by(*order)
            .limit(1)
            .with_for_update(of=now, key_share=True, skip_locked=True)
        )

    def _conditions(self, context: Any, seen: bool) -> list[ColumnElement[bool]]:
        mine = and_(
            tables.assignment.c.person_id == self._person_id,
            tables.assignment.c.context_id == context.context_id,
        )
        reported = and_(
            tables.context_flag.c.person_id == self._person_id,
            tables.context_flag.c.context_id == context.context_id,
        )
        conditions = [
            context.round_id == self._round_id,
            not_(context.is_withdrawn),
            not_(exists().where(reported)),
            exists().where(mine, self._quota_left()) if seen else not_(exists().where(mine)),
        ]
        if self._among:
            conditions.append(context.context_id.in_(self._among))
        if self._avoid is not None:
            conditions.append(context.context_id != self._avoid)
        return conditions

    def _quota_left(self) -> ColumnElement[bool]:
        limit = self._configuration.quotas.tries_per_context
        attempts = tables.assignment.c.attempts
        return attempts >= 0 if limit is None else attempts < limit
