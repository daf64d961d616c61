"""Releases by scoring: the round of a finished dataset is frozen."""

from collections.abc import Iterable, Sequence
from typing import cast

from dynabench_common.clock import Clock
from dynabench_common.events import outbox
from dynabench_common.events.cloud_events import Event, PermanentEventError
from dynabench_common.events.outbox import OutboxMessage
from dynabench_common.telemetry.logging import get_logger
from dynabench_events import message_types, recorded
from dynabench_events.dataset import DatasetReleased
from sqlalchemy import Connection

from annotation.adapters import tables
from annotation.adapters.task_repository import SqlRounds
from annotation.domain.errors import NotFound
from annotation.domain.identifiers import RoundId

RELEASE_TOPICS = ("dynabench.dataset.v1",)
log = get_logger(__name__)


class ReleaseProjection:
    """Moves closed rounds to `released` once their datasets exist, and publishes the event."""

    accepts = message_types((DatasetReleased,))

    def __init__(self, clock: Clock) -> None:
        self._clock = clock

    def apply(self, connection: Connection, events: Sequence[Event]) -> None:
        """Freeze the rounds of these releases. Raises PermanentEventError for one of no round of ours."""

        def record(messages: Iterable[OutboxMessage]) -> None:
            outbox.append(connection, tables.outbox, messages)

        rounds = SqlRounds(connection, record)
        # In one order, so that two workers lock rounds alike.
        for round_id in sorted(_released_round(event) for event in events):
            self._release(rounds, round_id)

    def _release(self, rounds: SqlRounds, round_id: RoundId) -> None:
        try:
            round_, _ = rounds.lock(round_id)
        except NotFound as err:
            raise PermanentEventError(f"round {round_id} was never drafted here") from err
        if round_.release(self._clock.now()):
            rounds.save(round_)
        else:
            log.warning("release_of_round_not_closed", round_id=str(round_id), state=round_.state.value)


def _released_round(event: Event) -> RoundId:
    released = cast("DatasetReleased", recorded(event).record)
    return RoundId(released.round_id)
