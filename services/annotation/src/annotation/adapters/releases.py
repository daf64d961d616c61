"""What scoring released: the round of a finished dataset is frozen."""

from collections.abc import Iterable, Sequence
from typing import cast
from uuid import UUID

from dynabench.dataset.v1 import dataset_pb2
from dynabench_common import outbox
from dynabench_common.clock import Clock
from dynabench_common.events import Event, PermanentEventError
from dynabench_common.logging import get_logger
from dynabench_common.outbox import OutboxMessage
from sqlalchemy import Connection

from annotation.adapters import tables
from annotation.adapters.task_repository import SqlRounds
from annotation.domain.identifiers import RoundId
from annotation.service_layer.ports import NotFound

RELEASE_TOPICS = ("dynabench.dataset.v1",)
log = get_logger(__name__)


class ReleaseProjection:
    """Moves closed rounds to `released` as their datasets are made, and tells of it."""

    accepts = (dataset_pb2.DatasetReleased,)

    def __init__(self, clock: Clock) -> None:
        self._clock = clock

    def apply(self, connection: Connection, events: Sequence[Event]) -> None:
        """Freeze the rounds of these releases. Raises PermanentEventError for one of no round of ours."""

        def record(messages: Iterable[OutboxMessage]) -> None:
            outbox.append(connection, tables.outbox, messages)

        rounds = SqlRounds(connection, record)
        for event in sorted(events, key=_round_id):
            self._release(rounds, RoundId(_round_id(event)))

    def _release(self, rounds: SqlRounds, round_id: RoundId) -> None:
        try:
            round_, _ = rounds.lock(round_id)
        except NotFound as err:
            raise PermanentEventError(f"round {round_id} was never drafted here") from err
        if round_.release(self._clock.now()):
            rounds.save(round_)
        else:
            log.warning("release_of_round_not_closed", round_id=str(round_id), state=round_.state.value)


def _round_id(event: Event) -> UUID:
    released = cast("dataset_pb2.DatasetReleased", event.message)
    try:
        return UUID(released.round_id)
    except ValueError as err:
        raise PermanentEventError(f"dataset {released.dataset_id!r} is of no round: {err}") from err
