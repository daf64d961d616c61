"""Batches of records: all or none, each once; then the round is closed."""

import json
from concurrent.futures import ThreadPoolExecutor
from typing import Any
from uuid import UUID, uuid4

import pytest
from annotation.adapters import tables
from dynabench.audit.v1.audit_pb2 import ActionTaken
from dynabench_common.testing import wait_until
from jsonschema_rs import Draft202012Validator
from sqlalchemy import select, text

from services.annotation.tests.imported_records import (
    SOURCE,
    add,
    errors_of,
    examples,
    record,
    refused,
    taken,
)

from .conftest import MakePlatform, Platform

# All or none, and each once


@pytest.mark.parametrize(
    ("bad", "field", "reason"),
    [
        (b'{"id": "r9"', "line", None),
        (b"\xff", "line", "is not UTF-8 at byte 0 of the line"),
        (b"[]", "line", "is not a JSON object"),
        (record(9, extra=1), "extra", "is not a key that is known here"),
        (record(9, input=...), "input", "is missing"),
        (record(9, targets={"beta": "positive"}), "targets.beta", "is no target of this round"),
        (record(9, votes=[{"label": "mixed"}]), "votes[0].label", None),
        (
            record(9, author="A", votes=[{"label": "positive", "voter": "A"}]),
            "votes[0].voter",
            "is the author",
        ),
        (record(1, tags=["other"]), "id", "is that of line 100001, which has other content"),
        (record(9, tags=json.loads("[" * 98 + "]" * 98)), "tags", "is not a list of texts"),
    ],
)
def test_a_bad_line_is_named_by_its_number_in_the_file_and_nothing_is_stored(
    platform: Platform, bad: object, field: str, reason: str | None
) -> None:
    round_id = platform.start_import()
    line = bad if isinstance(bad, bytes) else json.dumps(bad).encode()
    good = [json.dumps(record(n)).encode() for n in (1, 2)]

    [(number, named, why)] = errors_of(
        add(platform, round_id, b"\n".join([good[0], line, good[1]]), first_line=100_001)
    )

    assert (number, named) == (100_002, field)
    assert reason is None or why == reason
    assert examples(platform, round_id) == []


def test_a_record_that_is_sent_again_is_passed_over(platform: Platform) -> None:
    round_id = platform.start_import()
    votes = [{"label": "positive", "voter": "Bob"}]
    assert taken(add(platform, round_id, [record(1, votes=votes), record(2), record(2)])) == (2, 1, 1)
    assert taken(add(platform, round_id, [record(2), record(1, votes=votes), record(3, votes=votes)])) == (
        1,
        2,
        1,
    )
    assert [example["source_id"] for example in examples(platform, round_id)] == ["r1", "r2", "r3"]


def test_an_id_that_is_stored_with_other_content_is_refused_and_nothing_stored(platform: Platform) -> None:
    round_id = platform.start_import()
    add(platform, round_id, [record(1, author="Ann")])
    for changes in ({"author": "Bob"}, {"tags": ["x"]}, {"votes": [{"label": "positive"}]}):
        response = add(platform, round_id, [record(2), record(1, **{"author": "Ann", **changes})])
        assert errors_of(response) == [(2, "id", "is stored with other content")]
    assert len(examples(platform, round_id)) == 1


def test_the_same_batch_sent_twice_at_once_is_stored_once(platform: Platform) -> None:
    round_id = platform.start_import()
    batch = [record(n) for n in range(40)]
    answers = platform.at_once(*[lambda: taken(add(platform, round_id, batch))] * 2)
    assert sorted(answers) == [(0, 40, 0), (40, 0, 0)]
    assert platform.counts(round_id)["tries"] == 40


def waits_for_a_lock(platform: Platform) -> bool:
    waiting = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"
    with platform.dependencies.engine.connect() as connection:
        return bool(connection.execute(text(waiting)).scalar_one())


def test_a_batch_and_resolutions_on_its_contexts_never_wait_for_each_other_in_a_circle(
    platform: Platform,
) -> None:
    """The worker counts resolutions on contexts in the order of their ids, whatever order records come in."""
    round_id, context = platform.start_import(), tables.context.c
    add(platform, round_id, [record(n, context={"prompt": f"Prompt {n}."}) for n in range(2)])
    own = select(context.context_id, context.fields).where(context.round_id == UUID(round_id))
    with ThreadPoolExecutor(1) as importer:
        with platform.dependencies.engine.begin() as worker:
            first, last = worker.execute(own.order_by(context.context_id)).all()
            held = own.with_only_columns(context.context_id).with_for_update(key_share=True)
            worker.execute(held.where(context.context_id == first.context_id))
            batch = [record(n, context=each.fields) for n, each in enumerate((last, first), start=10)]
            answer = importer.submit(add, platform, round_id, batch)
            wait_until(lambda: waits_for_a_lock(platform), what="the batch waiting for the worker")
            worker.execute(held.where(context.context_id == last.context_id))
        assert taken(answer.result()) == (2, 0, 0)


def test_every_round_has_ids_of_its_own(platform: Platform) -> None:
    for source in ("a", "b"):
        assert taken(add(platform, platform.start_import(source=source), [record()])) == (1, 0, 0)


@pytest.mark.parametrize("content", [b"", b"\n \n"])
def test_a_batch_without_records_is_refused(platform: Platform, content: bytes) -> None:
    assert errors_of(add(platform, platform.start_import(), content)) == [(1, "file", "holds no records")]


@pytest.mark.parametrize("first_line", ["0", "x", "-5"])
def test_a_first_line_must_be_a_number(platform: Platform, first_line: str) -> None:
    response = add(platform, platform.start_import(), [record()], first_line=first_line)
    assert (response.status_code, response.get_json()["field"]) == (422, "first_line")


# The round's life


def test_an_import_is_closed_and_never_opened(platform: Platform) -> None:
    round_id = platform.start_import()
    add(platform, round_id, [record()])
    owner: dict[str, Any] = {"person": uuid4(), "roles": [f"owner:{platform.slug}"]}
    for state in ("open", "paused"):
        response = platform.call("PUT", f"/rounds/{round_id}/state", {"state": state}, **owner)
        assert refused(response) == (409, "round-transition-refused")
        assert response.get_json()["remedy"] == "From draft it can become: closed."

    platform.set_state(round_id, "closed")

    response = platform.call("PUT", f"/rounds/{round_id}/state", {"state": "open"}, **owner)
    assert refused(response) == (409, "round-transition-refused")
    assert taken(add(platform, round_id, [record()])) == (0, 1, 0)
    assert refused(add(platform, round_id, [record(), record(2)])) == (409, "import-finished")
    assert len(examples(platform, round_id)) == 1


def test_a_round_that_people_write_in_takes_no_records(platform: Platform) -> None:
    assert refused(add(platform, platform.draft(), [record()])) == (409, "round-not-collected")


def test_a_draft_that_people_write_in_is_not_closed_before_it_was_open(platform: Platform) -> None:
    response = platform.call(
        "PUT", f"/rounds/{platform.draft()}/state", {"state": "closed"}, person=uuid4(), roles=["admin"]
    )
    assert refused(response) == (409, "round-transition-refused")


def test_nobody_writes_in_an_import(platform: Platform) -> None:
    round_id = platform.start_import()
    add(platform, round_id, [record()])
    response = platform.call("POST", f"/rounds/{round_id}/assignments", {}, person=uuid4())
    assert refused(response) == (409, "round-draft")


def test_a_new_import_is_in_the_audit_log(platform: Platform) -> None:
    round_id = platform.start_import()
    outbox = tables.outbox.c
    with platform.dependencies.engine.connect() as connection:
        rows = connection.execute(
            select(outbox.payload).where(outbox.type == ActionTaken.DESCRIPTOR.full_name)
        ).scalars()
        entries = [ActionTaken.FromString(row) for row in rows]
    [entry] = [each for each in entries if each.round_id == round_id]
    assert (entry.action, entry.task_slug, entry.details["source"]) == (
        "round.imported",
        platform.slug,
        SOURCE,
    )


# Checks and the schema


def test_a_check_says_what_an_import_would_and_stores_nothing(platform: Platform) -> None:
    path = f"/tasks/{platform.slug}/records/check"
    good = [
        record(1, targets={"m1": "positive"}, votes=[{"label": "neutral"}]),
        record(1, targets={"m2": None}),
    ]
    assert errors_of(platform.send_lines(path, good, target=["m1", "m2"])) == [
        (2, "id", "is that of line 1, which has other content")
    ]
    assert taken(platform.send_lines(path, [good[0], good[0]], target=["m1"])) == (1, 1, 1)
    assert errors_of(platform.send_lines(path, good[:1], first_line=7)) == [
        (7, "targets.m1", "is no target of this round")
    ]
    assert platform.call("GET", f"/tasks/{platform.slug}").get_json()["rounds"] == []


def test_the_schema_of_a_tasks_records_is_published(platform: Platform) -> None:
    response = platform.call("GET", f"/tasks/{platform.slug}/records/schema")
    schema = Draft202012Validator(response.get_json())
    assert schema.is_valid(record(label="positive", votes=[{"label": "flag", "reason": "Odd."}]))
    assert not schema.is_valid(record(label="glad"))
    assert platform.call("GET", f"/tasks/{uuid4()}/records/schema").status_code == 404


def test_pictures_in_records_must_have_been_uploaded(make_platform: MakePlatform) -> None:
    platform = make_platform(
        context=[{"name": "picture", "type": "image"}], conditions=None, worked_examples=None
    )
    unknown = {"picture": {"image_id": str(uuid4()), "alt": "A mill"}}
    lines = [record(context=unknown)]
    expected = [(1, "context.picture.image_id", "names no image that was uploaded and checked")]
    assert errors_of(add(platform, platform.start_import(), lines)) == expected
    assert errors_of(platform.send_lines(f"/tasks/{platform.slug}/records/check", lines)) == expected


def test_a_context_may_lack_an_optional_text(make_platform: MakePlatform) -> None:
    platform = make_platform(context=[{"name": "prompt", "type": "string", "optional": True}])
    round_id = platform.start_import()
    add(platform, round_id, [record(1, context={}), record(2, context={"prompt": " "})])
    one, other = examples(platform, round_id)
    assert (one["context"], one["context_id"]) == ({"prompt": ""}, other["context_id"])


def test_people_write_on_a_context_that_lacks_an_optional_text(make_platform: MakePlatform) -> None:
    platform = make_platform(context=[{"name": "prompt", "type": "string", "optional": True}])
    round_id = platform.draft(contexts=0)
    platform.owner("POST", f"/rounds/{round_id}/contexts", {"contexts": [{"fields": {}}]})
    platform.set_state(round_id, "open")
    person = uuid4()
    assert platform.assign(round_id, person)["context"]["fields"] in ({"prompt": ""}, {})
    assert platform.example(round_id, person)["context"] == {"prompt": ""}
