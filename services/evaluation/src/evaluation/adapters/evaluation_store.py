"""Evaluations and their shards in PostgreSQL, with their events."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, replace
from datetime import datetime
from typing import Any
from uuid import UUID

from dynabench_common.events.outbox import OutboxMessage, outbox_message
from dynabench_common.identifiers import new_id
from dynabench_common.work.jobs import FREE, JobQueue, LeasedJob
from dynabench_events import EventRecord, Versioned
from dynabench_events.score import Fault, ScoreComputed
from sqlalchemy import Connection, and_, func, select, update
from sqlalchemy.dialects.postgresql import insert

from evaluation.adapters.dataset_store import dataset_of
from evaluation.adapters.tables import (
    evaluated_model,
    evaluation,
    evaluation_dataset,
    evaluation_line,
    shard,
)
from evaluation.domain.errors import EvaluationUnknown
from evaluation.domain.evaluations import (
    ENDED_STATES,
    SHARD_REQUESTS,
    Evaluation,
    EvaluationState,
    External,
    LiveModel,
    LogEvent,
    ScoredDataset,
    shards_of,
)

Record = Callable[[Iterable[OutboxMessage]], None]
S = EvaluationState
OPEN, ANSWERED = "open", "answered"


class SqlEvaluations(JobQueue):
    """Evaluations; those whose shards are all answered are jobs, to be finished."""

    def __init__(self, connection: Connection, record: Record) -> None:
        super().__init__(connection, evaluation, S.FINISHING)
        self._record = record

    def note_model(self, model: LiveModel) -> None:
        """Note what is known of a model; one that is not served any more stays known."""
        values = {
            "task_slug": model.task_slug,
            "model_digest": model.model_digest,
            "handler_digest": model.handler_digest,
            "submitted_by": model.submitted_by,
            "published": model.published,
            "prediction_only": model.prediction_only,
        }
        statement = insert(evaluated_model).values(name=model.name, **values)
        self._connection.execute(statement.on_conflict_do_update(index_elements=["name"], set_=values))

    def known(self, metric_version: int) -> set[tuple[str, str, str, UUID]]:
        """Return model, digests and dataset of every evaluation that there is by these metrics."""
        columns = evaluation.c
        statement = select(
            columns.model_name, columns.model_digest, columns.handler_digest, columns.dataset_id
        ).where(columns.metric_version == metric_version)
        return {tuple(row) for row in self._connection.execute(statement)}

    def request(
        self,
        model: LiveModel,
        dataset: ScoredDataset,
        metric_version: int,
        now: datetime,
        shard_requests: int = SHARD_REQUESTS,
    ) -> UUID | None:
        """Queue an evaluation with its shards, unless there is one; return its id.

        It takes over the answers of an earlier evaluation of a model with the same digests.
        """
        evaluation_id = new_id()
        spans = shards_of(dataset.requests or 0, shard_requests)
        wanted = Evaluation(evaluation_id, model, dataset, metric_version, S.QUEUED, 1, len(spans), 0)
        statement = (
            insert(evaluation)
            .values(
                evaluation_id=evaluation_id,
                task_slug=dataset.task_slug,
                dataset_id=dataset.dataset_id,
                model_name=model.name,
                model_digest=model.model_digest,
                handler_digest=model.handler_digest,
                submitted_by=model.submitted_by,
                prediction_only=model.prediction_only,
                external=None if model.external is None else asdict(model.external),
                metric_version=metric_version,
                state=S.QUEUED,
                requested_at=now,
                event_version=1,
                shards=len(spans),
                shards_done=0,
                attempts=0,
            )
            .on_conflict_do_nothing()
        )
        if self._connection.execute(statement).rowcount == 0:
            return None
        self._add_shards(evaluation_id, spans, now)
        facts = {"shards": len(spans), "requests": dataset.requests or 0}
        note(self._connection, evaluation_id, LogEvent.REQUESTED, now, **facts)
        self._take_over(evaluation_id, model, dataset, now)
        self._tell(1, wanted.requested(now))
        return evaluation_id

    def model_owner(self, name: str) -> tuple[UUID | None, bool] | None:
        """Return the submitter of this model, and whether only its predictions are known; None for an unknown model."""
        columns = evaluated_model.c
        row = self._connection.execute(
            select(columns.submitted_by, columns.prediction_only).where(columns.name == name)
        ).one_or_none()
        return None if row is None else (row.submitted_by, row.prediction_only)

    def take_predictions(
        self, model: LiveModel, dataset: ScoredDataset, metric_version: int, content: bytes, now: datetime
    ) -> UUID:
        """Store predictions as an evaluation that is only to be finished; the same ones are the same evaluation."""
        self.note_model(model)
        whole = replace(dataset, requests=dataset.items)
        evaluation_id = self.request(model, whole, metric_version, now, shard_requests=dataset.items or 1)
        if evaluation_id is None:
            columns = evaluation.c
            known: UUID = self._connection.execute(
                select(columns.evaluation_id).where(
                    columns.model_name == model.name,
                    columns.model_digest == model.model_digest,
                    columns.handler_digest == model.handler_digest,
                    columns.dataset_id == dataset.dataset_id,
                    columns.metric_version == metric_version,
                )
            ).scalar_one()
            return known
        self._connection.execute(
            update(shard)
            .where(shard.c.evaluation_id == evaluation_id)
            .values(state=ANSWERED, answers=content)
        )
        note_done(self._connection, evaluation_id)
        return evaluation_id

    def get(self, evaluation_id: UUID, *, for_update: bool = False) -> Evaluation:
        """Return an evaluation; nobody else changes it until the end of the transaction. Raises EvaluationUnknown."""
        if for_update:
            locked = select(evaluation.c.evaluation_id).where(evaluation.c.evaluation_id == evaluation_id)
            self._connection.execute(locked.with_for_update())
        row = self._connection.execute(WHOLE.where(evaluation.c.evaluation_id == evaluation_id)).one_or_none()
        if row is None:
            raise EvaluationUnknown
        return evaluation_of(row._mapping)

    def answers(self, evaluation_id: UUID) -> Sequence[bytes]:
        """Return what was answered to each shard, in order."""
        statement = (
            select(shard.c.answers).where(shard.c.evaluation_id == evaluation_id).order_by(shard.c.number)
        )
        return [bytes(content) for content in self._connection.execute(statement).scalars()]

    def finish(
        self, held: LeasedJob, record: ScoreComputed, result: Mapping[str, Any], predictions_key: str | None
    ) -> None:
        """Store the result of an evaluation, and publish its event. Raises LeaseLost."""
        found = self.get(held.key)
        self.settle(
            held,
            state=S.DONE,
            ended_at=record.computed_at,
            event_version=found.event_version + 1,
            result=dict(result),
            predictions_key=predictions_key,
            waits_for=None,
            **FREE,
        )
        note(self._connection, held.key, LogEvent.DONE, record.computed_at)
        self._tell(found.event_version + 1, record)

    def end(self, evaluation_id: UUID, fault: Fault, reason: str, now: datetime) -> None:
        """End an evaluation without a score, unless it has ended, and publish its event."""
        found = self.get(evaluation_id, for_update=True)
        if found.state in ENDED_STATES:
            return
        state = S.CANCELLED if fault is Fault.CANCELLED else S.FAILED
        self._connection.execute(
            update(evaluation)
            .where(evaluation.c.evaluation_id == evaluation_id)
            .values(
                state=state,
                ended_at=now,
                event_version=found.event_version + 1,
                error={"fault": fault.value, "reason": reason},
                waits_for=None,
                **FREE,
            )
        )
        self._connection.execute(
            update(shard).where(shard.c.evaluation_id == evaluation_id, shard.c.state == OPEN).values(**FREE)
        )
        note(self._connection, evaluation_id, LogEvent(state), now, reason=reason)
        self._tell(found.event_version + 1, found.failed(fault, reason, now))

    def queue_again(self, evaluation_id: UUID, now: datetime) -> None:
        """Queue once more an evaluation that ended without a score; its answers stay."""
        found = self.get(evaluation_id, for_update=True)
        state = S.FINISHING if found.shards_done == found.shards else S.QUEUED
        self._connection.execute(
            update(evaluation)
            .where(evaluation.c.evaluation_id == evaluation_id)
            .values(
                state=state,
                requested_at=now,
                ended_at=None,
                error=None,
                waits_for=None,
                attempts=0,
                event_version=found.event_version + 1,
                **FREE,
            )
        )
        self._connection.execute(
            update(shard)
            .where(shard.c.evaluation_id == evaluation_id, shard.c.state == OPEN)
            .values(attempts=0, **FREE)
        )
        facts = {"shards": found.shards, "shards_done": found.shards_done}
        note(self._connection, evaluation_id, LogEvent.REQUESTED, now, **facts)
        self._tell(found.event_version + 1, found.requested(now))

    def _add_shards(self, evaluation_id: UUID, spans: Sequence[tuple[int, int]], now: datetime) -> None:
        self._connection.execute(
            shard.insert(),
            [
                {
                    "shard_id": new_id(),
                    "evaluation_id": evaluation_id,
                    "number": number,
                    "first_request": first,
                    "requests": requests,
                    "state": OPEN,
                    "requested_at": now,
                    "attempts": 0,
                }
                for number, (first, requests) in enumerate(spans)
            ],
        )

    def _take_over(
        self, evaluation_id: UUID, model: LiveModel, dataset: ScoredDataset, now: datetime
    ) -> None:
        """Take the answers of an earlier evaluation of the same digests on the same requests."""
        columns = evaluation.c
        earlier = self._connection.execute(
            select(columns.evaluation_id)
            .where(
                columns.dataset_id == dataset.dataset_id,
                columns.model_digest == model.model_digest,
                columns.handler_digest == model.handler_digest,
                columns.prediction_only.is_(model.prediction_only),
                columns.evaluation_id != evaluation_id,
                columns.state == S.DONE,
            )
            .limit(1)
        ).scalar_one_or_none()
        if earlier is None or model.prediction_only:
            return
        known = shard.alias()
        taken = self._connection.execute(
            update(shard)
            .where(
                shard.c.evaluation_id == evaluation_id,
                known.c.evaluation_id == earlier,
                known.c.number == shard.c.number,
                known.c.requests == shard.c.requests,
                known.c.state == ANSWERED,
            )
            .values(state=ANSWERED, answers=known.c.answers)
        )
        if taken.rowcount:
            note(self._connection, evaluation_id, LogEvent.TAKEN_OVER, now, shards=taken.rowcount)
        note_done(self._connection, evaluation_id)

    def _tell(self, version: int, record: EventRecord) -> None:
        self._record([outbox_message(Versioned(version, record))])


def note(
    connection: Connection, evaluation_id: UUID, event: LogEvent, at: datetime, **facts: int | str
) -> None:
    """Add a line to the log of an evaluation, which is locked or new, in the event's own transaction."""
    values: dict[str, Any] = {"line_id": new_id(), "evaluation_id": evaluation_id, "at": at}
    connection.execute(evaluation_line.insert().values(**values, event=event, facts=facts))


def note_done(connection: Connection, evaluation_id: UUID) -> None:
    """Count the answered shards of an evaluation; one whose shards are all answered is to be finished."""
    done = (
        select(func.count())
        .where(shard.c.evaluation_id == evaluation_id, shard.c.state == ANSWERED)
        .scalar_subquery()
    )
    columns = evaluation.c
    connection.execute(
        update(evaluation)
        .where(columns.evaluation_id == evaluation_id)
        .values(shards_done=done, waits_for=None)
    )
    connection.execute(
        update(evaluation)
        .where(
            columns.evaluation_id == evaluation_id,
            columns.shards_done == columns.shards,
            columns.state.in_((S.QUEUED, S.RUNNING)),
        )
        .values(state=S.FINISHING)
    )


DATASET = tuple(
    column.label(f"dataset__{column.name}")
    for column in evaluation_dataset.c
    if column.name in ScoredDataset.__dataclass_fields__
)
WHOLE = select(evaluation, evaluated_model.c.published, *DATASET).select_from(
    evaluation.join(evaluation_dataset).outerjoin(
        evaluated_model, and_(evaluated_model.c.name == evaluation.c.model_name)
    )
)


def _external_of(stored: Mapping[str, Any] | None) -> External | None:
    if stored is None:
        return None
    return External(stored["are_scores"], tuple((name, value) for name, value in stored["figures"]))


def evaluation_of(row: Mapping[Any, Any]) -> Evaluation:
    """Return the evaluation of a row of `WHOLE`."""
    dataset = {name.removeprefix("dataset__"): row[name] for name in row if str(name).startswith("dataset__")}
    model = LiveModel(
        row["model_name"],
        row["task_slug"],
        row["model_digest"],
        row["handler_digest"],
        row["submitted_by"],
        bool(row["published"]),
        row["prediction_only"],
        external=_external_of(row["external"]),
    )
    return Evaluation(
        row["evaluation_id"],
        model,
        dataset_of(dataset),
        row["metric_version"],
        EvaluationState(row["state"]),
        row["event_version"],
        row["shards"],
        row["shards_done"],
    )
