"""Serving states in the database: written by the leading reconciler, read by every process that serves HTTP."""

import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from dynabench_common.auth.private_tasks import is_private
from sqlalchemy import Connection, Engine, Row, func, select, text, true
from sqlalchemy.dialects.postgresql import insert

from registry.adapters.serving_tables import reconciler, served_model, serving_state
from registry.adapters.tables import submission, task
from registry.adapters.worker_use import SqlWorkerUse
from registry.domain.catalogue import ModelRecord, Seen
from registry.domain.errors import StatesUnknown
from registry.domain.submission import SERVED, SubmissionState

STALE_SECONDS = 15.0
"""Age of the reconciler's heartbeat from which its last observation counts as stale."""
REMEMBERED_SECONDS = 0.2


@dataclass(frozen=True)
class SeenModels:
    """Models as the reconciler last saw them, by name, and the problem of the models file, if any."""

    models: tuple[Mapping[str, Any], ...]
    problem: str | None


def take_over(connection: Connection) -> int:
    """Record a new leading reconciler and return its epoch, higher than all earlier ones.

    A recent observation of the previous leader stays valid, since models keep running when a leader dies.
    """
    row = insert(reconciler).values(epoch=1, beat_at=func.now(), has_looked=False)
    is_recent = reconciler.c.beat_at > func.now() - text(f"interval '{STALE_SECONDS} seconds'")
    statement = row.on_conflict_do_update(
        index_elements=["one"],
        set_={
            "epoch": reconciler.c.epoch + 1,
            "beat_at": func.now(),
            "has_looked": reconciler.c.has_looked & is_recent,
        },
    ).returning(reconciler.c.epoch)
    return int(connection.execute(statement).scalar_one())


def beat(connection: Connection, epoch: int) -> None:
    """Store a heartbeat, unless another reconciler has taken over."""
    connection.execute(
        reconciler.update().where(reconciler.c.epoch == epoch).values(beat_at=func.clock_timestamp())
    )


class SqlStates:
    """Writes what one reconciler sees, for as long as it leads."""

    def __init__(self, engine: Engine, epoch: int) -> None:
        self._engine = engine
        self._epoch = epoch
        self._written: tuple[tuple[ModelRecord, ...], str | None] | None = None

    def publish(self, models: Sequence[ModelRecord], problem: str | None) -> None:
        """Write what changed since the last pass; nothing once another reconciler has taken over."""
        seen = (tuple(models), problem)
        if seen == self._written:
            return
        records = [{"name": model.name, "record": asdict(model)} for model in models]
        row = insert(serving_state)
        with self._engine.begin() as connection:
            own = (
                reconciler.update()
                .where(reconciler.c.epoch == self._epoch)
                .values(has_looked=True, problem=problem)
            )
            if connection.execute(own).rowcount == 0:
                return
            connection.execute(
                serving_state.delete().where(serving_state.c.name.not_in([model.name for model in models]))
            )
            if records:
                connection.execute(
                    row.on_conflict_do_update(
                        index_elements=["name"],
                        set_={"record": row.excluded.record, "seen_at": func.now()},
                        where=serving_state.c.record != row.excluded.record,
                    ),
                    records,
                )
        self._written = seen


class SqlCatalogue:
    """Reads it, at most once in a moment however often it is asked."""

    def __init__(self, engine: Engine, monotonic: Callable[[], float] = time.monotonic) -> None:
        self._engine = engine
        self._monotonic = monotonic
        self._lock = threading.Lock()
        self._seen: SeenModels | None = None
        self._read_at = float("-inf")

    def models(self) -> SeenModels:
        """Return what was last seen. Raises StatesUnknown."""
        with self._lock:
            now = self._monotonic()
            if self._seen is None or now - self._read_at >= REMEMBERED_SECONDS:
                self._seen = None
                self._seen = self._read()
                self._read_at = now
            return self._seen

    def _read(self) -> SeenModels:
        age = func.extract("epoch", func.clock_timestamp() - reconciler.c.beat_at)
        statement = (
            select(
                reconciler.c.problem,
                reconciler.c.has_looked,
                age.label("seconds_ago"),
                serving_state.c.record,
                submission.c.submitted_by,
                submission.c.state,
                is_private(task.c.configuration).label("is_private"),
            )
            .select_from(
                reconciler.outerjoin(serving_state, true())
                .outerjoin(served_model, served_model.c.name == serving_state.c.name)
                .outerjoin(submission, submission.c.submission_id == served_model.c.submission_id)
                .outerjoin(task, task.c.slug == serving_state.c.record["task"].as_string())
            )
            .order_by(serving_state.c.name)
        )
        with self._engine.connect() as connection:
            rows = connection.execute(statement).all()
        if not rows or not rows[0].has_looked:
            raise StatesUnknown("the first look at the model servers is not over yet")
        if rows[0].seconds_ago > STALE_SECONDS:
            raise StatesUnknown(f"no reconciler has been heard of for {rows[0].seconds_ago:.0f} s")
        return SeenModels(tuple(_described(row) for row in rows if row.record is not None), rows[0].problem)


def _described(row: Row[Any]) -> Mapping[str, Any]:
    """Return a record with whose model it is; those of the models file are everybody's."""
    is_published = row.state is None or row.state == SubmissionState.PUBLISHED
    submitted_by = None if row.submitted_by is None else str(row.submitted_by)
    is_accepted = row.state is None or row.state in SERVED
    return {
        **row.record,
        "submitted_by": submitted_by,
        "published": is_published,
        "accepted": is_accepted,
        "private": bool(row.is_private),
    }


class SqlServing:
    """State of a served model, as the checks see it."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._use = SqlWorkerUse(engine)

    def seen(self, name: str) -> Seen | None:
        """Return what was seen of a model since it was last put; None before that."""
        statement = (
            select(serving_state.c.record, served_model.c.updated_at)
            .join(served_model, served_model.c.name == serving_state.c.name)
            .where(serving_state.c.name == name, served_model.c.wanted)
        )
        with self._engine.connect() as connection:
            row = connection.execute(statement).one_or_none()
        if row is None or row.record.get("wanted_since") != row.updated_at.isoformat():
            return None
        return Seen(str(row.record["state"]), row.record["reason"])

    def ask_for(self, name: str) -> None:
        """Note that somebody needs the model's workers now."""
        self._use.note(name)
