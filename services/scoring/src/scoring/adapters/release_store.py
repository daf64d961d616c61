"""Releases and the keys of their pseudonyms in PostgreSQL."""

from dataclasses import asdict
from typing import Any
from uuid import UUID

from dynabench_common.work.jobs import FREE, JobQueue, LeasedJob
from sqlalchemy import ColumnElement, Connection, Row, and_, or_, select
from sqlalchemy.dialects.postgresql import insert

from scoring.adapters.tables import release, release_key, repeated_error
from scoring.dataset.splits import SplitOptions
from scoring.domain.errors import ReleaseUnknown
from scoring.domain.pseudonyms import new_key
from scoring.domain.release import Release, ReleaseOptions, ReleaseState, Step
from scoring.domain.repeats import Repeats


class SqlReleases(JobQueue):
    """Releases, and the jobs that build them."""

    def __init__(self, connection: Connection) -> None:
        super().__init__(connection, release, ReleaseState.BUILDING)

    def add(self, wanted: Release) -> None:
        """Store a new release."""
        self._connection.execute(
            release.insert().values(
                release_id=wanted.release_id,
                round_id=wanted.round_id,
                requested_by=wanted.requested_by,
                requested_at=wanted.requested_at,
                options=asdict(wanted.options),
                state=wanted.state,
                step=wanted.step,
                progress=wanted.progress,
                attempts=wanted.attempts,
            )
        )

    def get(self, release_id: UUID) -> Release:
        """Return the release. Raises ReleaseUnknown."""
        row = self._connection.execute(
            select(release).where(release.c.release_id == release_id)
        ).one_or_none()
        if row is None:
            raise ReleaseUnknown
        return _release(row)

    def live(self, round_id: UUID) -> Release | None:
        """Return the release of a round that is being built or done."""
        row = self._connection.execute(
            select(release).where(release.c.round_id == round_id, release.c.state != ReleaseState.FAILED)
        ).one_or_none()
        return None if row is None else _release(row)

    def key_of(self, round_id: UUID) -> bytes:
        """Return the key of the round's pseudonyms, made at the first call.

        It is kept, so that a release that is built again after a failure has the same pseudonyms and digest.
        """
        statement = insert(release_key).values(round_id=round_id, key=new_key())
        self._connection.execute(statement.on_conflict_do_nothing())
        found = select(release_key.c.key).where(release_key.c.round_id == round_id)
        return bytes(self._connection.execute(found).scalar_one())

    def repeats(self, wanted: Release) -> Repeats:
        """Return the settled repeat counts of the round's validated errors.

        An error that this release could not try is settled; one that another release could not try is not.
        """
        rows = self._connection.execute(select(repeated_error).where(_settled(wanted)))
        return {(row.example_id, row.target): row.repeated for row in rows}

    def keep_repeats(self, wanted: Release, results: Repeats) -> None:
        """Store the repeat counts of errors."""
        rows = [
            {
                "round_id": wanted.round_id,
                "example_id": example_id,
                "target": target,
                "release_id": wanted.release_id,
                "repeated": number,
            }
            for (example_id, target), number in results.items()
        ]
        statement = insert(repeated_error)
        if rows:
            self._connection.execute(
                statement.on_conflict_do_update(
                    index_elements=["round_id", "example_id", "target"],
                    set_={name: statement.excluded[name] for name in ("release_id", "repeated")},
                    where=repeated_error.c.repeated.is_(None),
                ),
                rows,
            )

    def finish(self, held: LeasedJob, dataset_id: UUID) -> None:
        """End a release with its dataset. Raises LeaseLost."""
        self.settle(
            held, state=ReleaseState.DONE, step=Step.DONE, progress=1.0, dataset_id=dataset_id, **FREE
        )


def _settled(wanted: Release) -> ColumnElement[bool]:
    is_tried = or_(repeated_error.c.repeated.is_not(None), repeated_error.c.release_id == wanted.release_id)
    return and_(repeated_error.c.round_id == wanted.round_id, is_tried)


def _release(row: Row[Any]) -> Release:
    options = {**row.options, "splits": SplitOptions(**row.options["splits"])}
    return Release(
        release_id=row.release_id,
        round_id=row.round_id,
        requested_by=row.requested_by,
        requested_at=row.requested_at,
        options=ReleaseOptions(**options),
        state=ReleaseState(row.state),
        step=row.step,
        progress=row.progress,
        attempts=row.attempts,
        dataset_id=row.dataset_id,
        error=row.error,
    )
