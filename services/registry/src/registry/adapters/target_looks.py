"""One look at the targets of open rounds, in one transaction."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict

from dynabench_common.events.unit_of_work import SqlUnitOfWork
from dynabench_common.work.leader import LockKey
from dynabench_tasks.rounds import RoundState
from sqlalchemy import Engine, func, select
from sqlalchemy.dialects.postgresql import insert

from registry.adapters.serving_states import STALE_SECONDS
from registry.adapters.serving_tables import reconciler, served_model, serving_state, target_outage
from registry.adapters.tables import outbox, round_
from registry.domain.outages import Outage, SeenModel
from registry.domain.registration_records import WorkersState

REMEMBERED = ("version", "since", "looked_at", "told_at")


class SqlTargetLook(SqlUnitOfWork):
    """Reads what the reconciler saw, and keeps what is remembered of targets."""

    def __init__(self, engine: Engine) -> None:
        super().__init__(engine, outbox)

    def begin(self) -> bool:
        """Keep other workers from looking until this look ends; tell whether nobody else looks just now."""
        return bool(
            self.connection.execute(
                select(func.pg_try_advisory_xact_lock(LockKey.REGISTRY_TARGET_LOOKS))
            ).scalar_one()
        )

    def targets(self) -> set[str]:
        """Return the targets of open rounds."""
        found = self.connection.execute(select(round_.c.targets).where(round_.c.state == RoundState.OPEN))
        return {name for targets in found.scalars() for name in targets or ()}

    def outages(self) -> Mapping[str, Outage]:
        """Return what is remembered of targets, by name."""
        rows = self.connection.execute(select(target_outage)).mappings()
        return {row["serving_name"]: Outage(**row) for row in rows}

    def models(self) -> Sequence[SeenModel] | None:
        """Return the reconciler's last observation, or None if no reconciler has had a recent heartbeat."""
        age = func.extract("epoch", func.clock_timestamp() - reconciler.c.beat_at)
        leads = select(reconciler.c.one).where(reconciler.c.has_looked, age <= STALE_SECONDS)
        if self.connection.execute(leads).one_or_none() is None:
            return None
        seen = select(serving_state.c.name, serving_state.c.record, served_model.c.pool).join(
            served_model, served_model.c.name == serving_state.c.name
        )
        return [
            SeenModel(
                serving_name=row.name,
                pool=row.pool,
                answers=row.record["state"] == WorkersState.READY,
                rests=row.record["state"] == WorkersState.STOPPED,
                is_server_away=bool(row.record.get("is_server_away")),
                reason=row.record["reason"] or "",
            )
            for row in self.connection.execute(seen)
        ]

    def keep(self, outages: Iterable[Outage]) -> None:
        """Remember these."""
        rows = [asdict(outage) for outage in outages]
        statement = insert(target_outage)
        if rows:
            self.connection.execute(
                statement.on_conflict_do_update(
                    index_elements=["serving_name"],
                    set_={name: statement.excluded[name] for name in REMEMBERED},
                ),
                rows,
            )
