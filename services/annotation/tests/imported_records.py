"""Records to import, and what became of them."""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from annotation.adapters import tables
from dynabench.audit.v1.audit_pb2 import ActionTaken
from dynabench.example.v1.example_pb2 import ExampleCreated, ExampleExplained
from dynabench.task.v1.task_pb2 import RoundCreated, RoundStateChanged, SegmentStarted
from sqlalchemy import select
from werkzeug.test import TestResponse

from services.annotation.tests.integration.conftest import Platform

SOURCE = "collection.jsonl"
EVENTS = {
    message.DESCRIPTOR.full_name: message
    for message in (
        ActionTaken,
        ExampleCreated,
        ExampleExplained,
        RoundCreated,
        RoundStateChanged,
        SegmentStarted,
    )
}


def record(number: int = 1, **changes: Any) -> dict[str, Any]:
    """A record with changed keys; ... removes one."""
    made = {
        "id": f"r{number}",
        "context": {"prompt": "A prompt."},
        "input": {"text": f"What a lovely queue, said guest {number}."},
        **changes,
    }
    return {key: value for key, value in made.items() if value is not ...}


def add(platform: Platform, round_id: str, lines: bytes | Sequence[object], **query: Any) -> TestResponse:
    return platform.send_lines(f"/rounds/{round_id}/records", lines, **query)


def taken(response: TestResponse) -> tuple[int, int, int]:
    assert response.status_code == 200, response.get_data(as_text=True)
    answer = response.get_json()
    return answer["stored"], answer["repeated"], answer["votes"]


def errors_of(response: TestResponse) -> list[tuple[int, str, str]]:
    assert response.status_code == 422, response.get_data(as_text=True)
    problem = response.get_json()
    assert problem["type"] == "/problems/records-unusable"
    assert all(error["remedy"] for error in problem["errors"])
    return [(error["line"], error["field"], error["reason"]) for error in problem["errors"]]


def refused(response: TestResponse) -> tuple[int, str]:
    return response.status_code, response.get_json()["type"].removeprefix("/problems/")


def examples(platform: Platform, round_id: str) -> list[dict[str, Any]]:
    """Return the round's examples in the order in which they were stored."""
    page = platform.owner("GET", f"/rounds/{round_id}/examples?author=all&limit=200")
    found: list[dict[str, Any]] = page["items"][::-1]
    return found


def events(platform: Platform, *aggregates: str) -> list[tuple[Any, int]]:
    """Return the events of aggregates in the outbox, each with its version."""
    outbox = tables.outbox.c
    statement = (
        select(outbox.type, outbox.payload, outbox.aggregate_version)
        .where(outbox.aggregate_id.in_([UUID(each) for each in aggregates]))
        .order_by(outbox.id)
    )
    with platform.dependencies.engine.connect() as connection:
        rows = connection.execute(statement).all()
    return [(EVENTS[row.type].FromString(row.payload), row.aggregate_version) for row in rows]


def every_row(platform: Platform) -> str:
    """Return all that the database holds, as text."""
    with platform.dependencies.engine.connect() as connection:
        return "".join(
            repr(connection.execute(select(table)).all()) for table in tables.metadata.sorted_tables
        )
