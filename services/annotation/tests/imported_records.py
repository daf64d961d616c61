"""Records to import, and what became of them."""

from uuid import UUID

from annotation.adapters import tables
from dynabench.audit.v1.audit_pb2 import ActionTaken
from dynabench.example.v1.example_pb2 import ExampleCreated, ExampleExplained
from dynabench.task.v1.task_pb2 import RoundCreated, RoundStateChanged, SegmentStarted
from sqlalchemy import select

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


def record(number=1, **changes):
    """A record with changed keys; ... removes one."""
    made = {
        "id": f"r{number}",
        "context": {"prompt": "A prompt."},
        "input": {"text": f"What a lovely queue, said guest {number}."},
        **changes,
    }
    return {key: value for key, value in made.items() if value is not ...}


def add(platform, round_id, lines, **query):
    return platform.send_lines(f"/rounds/{round_id}/records", lines, **query)


def taken(response):
    assert response.status_code == 200, response.get_data(as_text=True)
    answer = response.get_json()
    return answer["stored"], answer["repeated"], answer["votes"]


def errors_of(response):
    assert response.status_code == 422, response.get_data(as_text=True)
    problem = response.get_json()
    assert problem["type"] == "/problems/records-unusable"
    assert all(error["remedy"] for error in problem["errors"])
    return [(error["line"], error["field"], error["reason"]) for error in problem["errors"]]


def refused(response):
    return response.status_code, response.get_json()["type"].removeprefix("/problems/")


def examples(platform, round_id):
    """Return the round's examples in the order in which they were stored."""
    return platform.owner("GET", f"/rounds/{round_id}/examples?author=all&limit=200")["items"][::-1]


def events(platform, *aggregates):
    """Return the events of aggregates in the outbox, each with its version."""
    outbox = tables.outbox.c
    statement = (
        select(outbox.type, outbox.payload, outbox.aggregate_version)
        .where(outbox.aggregate_id.in_([UUID(each) for each in aggregates]))
        .order_by(outbox.id)
    )
    with platform.application.engine.connect() as connection:
        rows = connection.execute(statement).all()
    return [(EVENTS[row.type].FromString(row.payload), row.aggregate_version) for row in rows]


def every_row(platform):
    """Return all that the database holds, as text."""
    with platform.application.engine.connect() as connection:
        return "".join(
            repr(connection.execute(select(table)).all()) for table in tables.metadata.sorted_tables
        )
