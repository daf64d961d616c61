"""Every event survives the conversion to protobuf and back; an undecodable field is named."""

from dataclasses import dataclass, is_dataclass, replace
from dataclasses import fields as dataclass_fields
from datetime import UTC, datetime
from typing import Any, get_args, get_origin, get_type_hints
from uuid import UUID

import pytest
from dynabench.task.v1 import task_pb2
from dynabench_common.events.cloud_events import Event
from dynabench_events import (
    EventRecord,
    PermanentEventError,
    audit,
    crowd,
    dataset,
    decode,
    encode,
    event,
    example,
    message_types,
    person,
    recorded,
    task,
    validation,
)
from hypothesis import given
from hypothesis import strategies as st

TOPICS = (audit, crowd, dataset, example, person, task, validation)
RECORDS = [
    found
    for topic in TOPICS
    for found in vars(topic).values()
    if isinstance(found, type) and issubclass(found, EventRecord) and found is not EventRecord
]
MOMENTS = st.datetimes(min_value=datetime(1, 1, 2), max_value=datetime(9999, 12, 30), timezones=st.just(UTC))
NUMBERS = st.integers(min_value=0, max_value=2**32 - 1)
JSON_VALUES: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)


def values_of(kind: Any) -> st.SearchStrategy[Any]:
    """Values of a record's field: an optional id's empty text means None."""
    if is_dataclass(kind):
        return records_of(kind)
    if get_origin(kind) is tuple:
        return st.lists(values_of(get_args(kind)[0]), max_size=3).map(tuple)
    if isinstance(get_origin(kind), type) and kind != Any and hasattr(get_origin(kind), "keys"):
        return st.dictionaries(st.text(), values_of(get_args(kind)[1]), max_size=3)
    if type(None) in get_args(kind):
        return st.none() | values_of(get_args(kind)[0])
    simple: dict[Any, st.SearchStrategy[Any]] = {
        Any: JSON_VALUES,
        datetime: MOMENTS,
        float: st.floats(allow_nan=False, allow_infinity=False),
        int: NUMBERS,
    }
    return simple[kind] if kind in simple else st.from_type(kind)


def records_of(kind: Any) -> st.SearchStrategy[Any]:
    hints = get_type_hints(kind)
    return st.builds(kind, **{field.name: values_of(hints[field.name]) for field in dataclass_fields(kind)})


@given(st.sampled_from(RECORDS).flatmap(records_of))
def test_every_record_comes_back_as_it_was(record: EventRecord) -> None:
    (message_type,) = message_types([type(record)])
    written = encode(record)
    assert decode(message_type.FromString(written.SerializeToString())) == record


def test_every_event_has_a_record_named_as_it_is() -> None:
    parts = {"Target", "TargetAnswer", "ImportedVote", "ImportedVoteCast"}
    files = {message.DESCRIPTOR.file for message in message_types(RECORDS)}
    events = {name for file in files for name in file.message_types_by_name} - parts
    assert {record.__name__ for record in RECORDS} == events
    for record, message in zip(RECORDS, message_types(RECORDS), strict=True):
        assert record.__name__ == message.DESCRIPTOR.name


@given(st.sampled_from(RECORDS).flatmap(records_of))
def test_every_record_has_its_topic_and_aggregate(record: EventRecord) -> None:
    assert isinstance(record.aggregate_id, UUID)
    assert record.occurred_at.tzinfo is UTC
    assert record.topic == vars(__import__(type(record).__module__, fromlist=["TOPIC"]))["TOPIC"]


MOVED = task_pb2.RoundStateChanged(
    round_id="0192f5a0-0000-7000-8000-000000000003",
    state=task_pb2.ROUND_STATE_OPEN,
    changed_at=datetime(2026, 3, 2, tzinfo=UTC),
)


def changed(**values: Any) -> task_pb2.RoundStateChanged:
    message = task_pb2.RoundStateChanged()
    message.CopyFrom(MOVED)
    for name, value in values.items():
        message.ClearField(name)
        if value is not None:
            setattr(message, name, value)
    return message


@pytest.mark.parametrize(
    ("values", "reason"),
    [
        ({"round_id": ""}, r"task\.v1\.RoundStateChanged: round_id is no UUID: ''"),
        ({"round_id": "first"}, "round_id is no UUID: 'first'"),
        ({"changed_by": "me"}, "changed_by is no UUID: 'me'"),
        ({"state": None}, "state 0 means nothing here"),
        ({"state": 99}, "state 99 means nothing here"),
        ({"changed_at": None}, "changed_at is missing"),
    ],
)
def test_what_cant_be_decoded_is_named(values: dict[str, Any], reason: str) -> None:
    assert decode(MOVED)
    with pytest.raises(PermanentEventError, match=reason):
        decode(changed(**values))


def test_a_time_outside_the_calendar_is_refused() -> None:
    message = changed()
    message.changed_at.seconds = 2**62
    with pytest.raises(PermanentEventError, match="changed_at is outside the calendar"):
        decode(message)


@pytest.mark.parametrize("text", ["", "[]", "{", '{"share": NaN}', "[" * 100_000])
def test_a_configuration_that_is_no_json_object_is_refused(text: str) -> None:
    message = task_pb2.TaskCreated(
        task_id=str(UUID(int=1)), configuration_json=text, created_at=datetime(2026, 3, 2, tzinfo=UTC)
    )
    with pytest.raises(PermanentEventError, match="configuration_json is no JSON"):
        decode(message)


@given(records_of(example.ExampleCreated))
def test_a_part_that_cant_be_decoded_is_named_with_its_place(record: EventRecord) -> None:
    written = encode(record)
    written.answers.add(target="a").probabilities["x"] = float("nan")  # type: ignore[attr-defined]
    with pytest.raises(PermanentEventError, match="answers probabilities is no finite number"):
        decode(written)


def test_an_event_without_a_record_is_named() -> None:
    with pytest.raises(PermanentEventError, match=r"task\.v1\.Target: no record"):
        decode(task_pb2.Target(name="a"))


def test_a_record_comes_with_its_place_in_the_log() -> None:
    at = datetime(2026, 3, 2, tzinfo=UTC)
    published = Event(
        UUID(int=1), "dynabench.task.v1.RoundStateChanged", "/test", at, UUID(int=2), 4, MOVED, task.TOPIC
    )
    found = recorded(published)
    assert (found.event_id, found.aggregate_id, found.version, found.time) == (
        UUID(int=1),
        UUID(int=2),
        4,
        at,
    )
    assert found.record == decode(MOVED)
    with pytest.raises(PermanentEventError, match="time zone"):
        recorded(replace(published, time=datetime(2026, 3, 2)))


@dataclass(frozen=True)
class Shorter(EventRecord):
    name: str


@dataclass(frozen=True)
class OtherwiseTyped(EventRecord):
    name: int
    model_digest: str
    handler_digest: str


@pytest.mark.parametrize(
    ("record", "reason"),
    [(Shorter, "Shorter lacks handler_digest, model_digest"), (OtherwiseTyped, "name can't hold")],
)
def test_a_record_that_differs_from_its_message_fails_when_declared(
    record: type[EventRecord], reason: str
) -> None:
    with pytest.raises(TypeError, match=reason):
        event(task_pb2.Target, of="name", at="name")(record)
