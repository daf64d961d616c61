"""Ask for the measurement of a round in progress; the worker makes it."""

from datetime import datetime, timedelta
from uuid import UUID

from dynabench_common.clock import Clock

from scoring.adapters.unit_of_work import MakeUnitOfWork

STALE_AFTER = timedelta(minutes=10)


def request_measurement(
    round_id: UUID, requested_at: datetime | None, make_uow: MakeUnitOfWork, clock: Clock
) -> None:
    """Ask anew unless the last time is only minutes ago: a round under way changes with each try."""
    now = clock.now()
    if requested_at is not None and now - requested_at < STALE_AFTER:
        return
    with make_uow() as uow:
        uow.measurements.request(round_id, now)
        uow.commit()
