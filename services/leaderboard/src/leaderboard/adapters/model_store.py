"""Submitted models and scores, in the form that boards of models need.

Each row comes from the newest event of its aggregate, for any order of arrival. An event of a score is complete in
itself. A submission's names and its state are written separately, each by its own newest event.
"""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from datetime import datetime
from typing import Any

from dynabench_common.events.facts import Facts, Reader, Row, values_of, write_facts
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
from sqlalchemy import Connection, func
from sqlalchemy.dialects.postgresql import insert

from leaderboard.adapters.tables import model_board, score, submission

WAITING, DONE, FAILED = "waiting", "done", "failed"
DEPLOYED, PUBLISHED, WITHDRAWN = "deployed", "published", "withdrawn"
SUBMISSION = ("submission_id", "task_slug", "submitted_by")


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
    """Write an event of a model or a score, unless a newer one of its kind is known.

    Events are written one by one, since a withdrawal must not change columns of the publication before it.
    """
    write_facts(connection, FACTS.newest([event]))


def _submission(*names: str, **values: Any) -> Reader:
    return lambda record: {**values_of(record, *SUBMISSION, *names), **values}


def _submitted(record: ModelSubmitted) -> Row:
    return {**values_of(record, *SUBMISSION, "model_name"), "number": record.version}


def _withdrawn(record: ModelWithdrawn) -> Row:
    named = ("serving_name",) if record.serving_name else ()
    return {**values_of(record, *SUBMISSION, *named), "state": WITHDRAWN, "published_at": None}


def _requested(record: EvaluationRequested) -> Row:
    return {**_evaluation(record), "happened_at": record.requested_at, "state": WAITING, "metrics": []}


def _failed(record: EvaluationFailed) -> Row:
    happened = {"happened_at": record.failed_at, "state": FAILED, "metrics": []}
    return {**_evaluation(record), **happened, **values_of(record, "fault", "reason")}


def _computed(record: ScoreComputed) -> Row:
    by_metric = {influence.metric: influence.values for influence in record.influences}
    return {
        **_evaluation(record),
        **values_of(record, "failed_items", "constant_answer", "target_of_round"),
        "happened_at": record.computed_at,
        "state": DONE,
        "metrics": [
            {**asdict(value), "bytes": len(by_metric.get(value.metric, b""))} for value in record.values
        ],
        "influences": b"".join(by_metric.get(value.metric, b"") for value in record.values),
    }


def _evaluation(record: EvaluationRequested | EvaluationFailed | ScoreComputed) -> Row:
    """Return what all events of an evaluation say; their other columns are empty until one fills them."""
    empty = ("fault", "reason", "influences", "failed_items", "constant_answer", "target_of_round")
    return {
        **dict.fromkeys(empty),
        **values_of(record, "evaluation_id", "task_slug", "metric_version"),
        "model": asdict(record.model),
        "dataset": asdict(record.dataset),
    }


FACTS = Facts(
    (ModelSubmitted, submission.c.named_version, _submitted),
    (
        ModelDeployed,
        submission.c.state_version,
        _submission("serving_name", state=DEPLOYED, published_at=None),
    ),
    (
        ModelPublished,
        submission.c.state_version,
        _submission("serving_name", "anonymous", "published_at", state=PUBLISHED),
    ),
    (ModelWithdrawn, submission.c.state_version, _withdrawn),
    (ModelCardChanged, submission.c.card_version, _submission("trained_on")),
    (EvaluationRequested, score.c.version, _requested),
    (EvaluationFailed, score.c.version, _failed),
    (ScoreComputed, score.c.version, _computed),
)
