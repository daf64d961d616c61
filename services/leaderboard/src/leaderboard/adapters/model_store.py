"""Submitted models and scores, in the form that boards of models need.

Each row comes from the newest event of its aggregate, for any order of arrival. An event of a score is complete in
itself. A submission's names and its state are written separately, each by its own newest event.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from datetime import datetime
from typing import Any

from dynabench_common.identifiers import new_id
from dynabench_events import EventRecord, Recorded
from dynabench_events.model import (
    ModelCardChanged,
    ModelDeployed,
    ModelPublished,
    ModelSubmitted,
    ModelWithdrawn,
)
from dynabench_events.score import EvaluationFailed, EvaluationRequested, ScoreComputed
from sqlalchemy import Connection, func, or_
from sqlalchemy.dialects.postgresql import insert

from leaderboard.adapters.tables import model_board, score, submission

WAITING, DONE, FAILED = "waiting", "done", "failed"
DEPLOYED, PUBLISHED, WITHDRAWN = "deployed", "published", "withdrawn"
Values = dict[str, Any]
UNPUBLISHED: Values = {"published_at": None}


def touch(connection: Connection, newest: Mapping[str, datetime]) -> None:
    """Mark the boards of tasks as changed by events up to these times."""
    if not newest:
        return
    rows = [{"task_slug": slug, "revision": new_id(), "as_of": newest[slug]} for slug in sorted(newest)]
    statement = insert(model_board)
    connection.execute(
        statement.on_conflict_do_update(
            index_elements=["task_slug"],
            set_={
                "revision": statement.excluded.revision,
                "as_of": func.greatest(model_board.c.as_of, statement.excluded.as_of),
            },
        ),
        rows,
    )


def newest_by_task(events: Sequence[Recorded[Any]]) -> dict[str, datetime]:
    """Return when the newest event of each task happened."""
    newest: dict[str, datetime] = {}
    for event in events:
        slug = event.record.task_slug
        newest[slug] = max(event.time, newest.get(slug, event.time))
    return newest


def save(connection: Connection, event: Recorded[EventRecord]) -> None:
    """Write what an event of a model or a score says, unless a newer one of its kind is known."""
    WRITERS[type(event.record)](connection, event)


def _submitted(connection: Connection, event: Recorded[ModelSubmitted]) -> None:
    named = {"model_name": event.record.model_name, "number": event.record.version}
    _save_submission(connection, event, "named_version", named)


def _deployed(connection: Connection, event: Recorded[ModelDeployed]) -> None:
    _save_submission(
        connection,
        event,
        "state_version",
        {**UNPUBLISHED, "state": DEPLOYED, "serving_name": event.record.serving_name},
    )


def _published(connection: Connection, event: Recorded[ModelPublished]) -> None:
    published = event.record
    values = {
        "state": PUBLISHED,
        "serving_name": published.serving_name,
        "anonymous": published.anonymous,
        "published_at": published.published_at,
    }
    _save_submission(connection, event, "state_version", values)


def _withdrawn(connection: Connection, event: Recorded[ModelWithdrawn]) -> None:
    values: Values = {**UNPUBLISHED, "state": WITHDRAWN}
    if event.record.serving_name:
        values["serving_name"] = event.record.serving_name
    _save_submission(connection, event, "state_version", values)


def _card_changed(connection: Connection, event: Recorded[ModelCardChanged]) -> None:
    _save_submission(connection, event, "card_version", {"trained_on": list(event.record.trained_on)})


def _save_submission(connection: Connection, event: Recorded[Any], version: str, values: Values) -> None:
    record = event.record
    written = {version: event.version, **values}
    statement = insert(submission).values(
        submission_id=record.submission_id,
        task_slug=record.task_slug,
        submitted_by=record.submitted_by,
        **written,
    )
    known = submission.c[version]
    connection.execute(
        statement.on_conflict_do_update(
            index_elements=["submission_id"],
            set_=written,
            where=or_(known.is_(None), known < event.version),
        )
    )


def _requested(connection: Connection, event: Recorded[EvaluationRequested]) -> None:
    _save_score(connection, event, event.record.requested_at, {"state": WAITING, "metrics": []})


def _failed(connection: Connection, event: Recorded[EvaluationFailed]) -> None:
    failed = event.record
    values = {"state": FAILED, "metrics": [], "fault": failed.fault.value, "reason": failed.reason}
    _save_score(connection, event, failed.failed_at, values)


def _computed(connection: Connection, event: Recorded[ScoreComputed]) -> None:
    computed = event.record
    by_metric = {influence.metric: influence.values for influence in computed.influences}
    metrics = [{**asdict(value), "bytes": len(by_metric.get(value.metric, b""))} for value in computed.values]
    values = {
        "state": DONE,
        "metrics": metrics,
        "influences": b"".join(by_metric.get(value.metric, b"") for value in computed.values),
        "failed_items": computed.failed_items,
        "constant_answer": computed.constant_answer,
        "target_of_round": computed.target_of_round,
    }
    _save_score(connection, event, computed.computed_at, values)


EMPTY: Values = dict.fromkeys(
    ("fault", "reason", "influences", "failed_items", "constant_answer", "target_of_round")
)


def _save_score(connection: Connection, event: Recorded[Any], happened_at: datetime, values: Values) -> None:
    record = event.record
    written = {
        **EMPTY,
        **values,
        "version": event.version,
        "task_slug": record.task_slug,
        "model": _plain(asdict(record.model)),
        "dataset": _plain(asdict(record.dataset)),
        "metric_version": record.metric_version,
        "happened_at": happened_at,
    }
    statement = insert(score).values(evaluation_id=record.evaluation_id, **written)
    connection.execute(
        statement.on_conflict_do_update(
            index_elements=["evaluation_id"], set_=written, where=score.c.version < event.version
        )
    )


def _plain(document: Mapping[str, Any]) -> dict[str, Any]:
    return {
        name: value if value is None or isinstance(value, str | int | bool) else str(value)
        for name, value in document.items()
    }


WRITERS: Mapping[type[EventRecord], Callable[[Connection, Recorded[Any]], None]] = {
    ModelSubmitted: _submitted,
    ModelDeployed: _deployed,
    ModelPublished: _published,
    ModelWithdrawn: _withdrawn,
    ModelCardChanged: _card_changed,
    EvaluationRequested: _requested,
    EvaluationFailed: _failed,
    ScoreComputed: _computed,
}
