"""Values that no database can store are refused; all others pass."""

from datetime import UTC, datetime
from uuid import uuid4

import pytest
from dynabench.dataset.v1.dataset_pb2 import DatasetReleased
from dynabench.example.v1.example_pb2 import ExampleCreated, ExampleRetracted, TargetAnswer
from dynabench_common.events.cloud_events import Event
from dynabench_common.events.db_safe import flaw_of
from google.protobuf.message import Message
from google.protobuf.timestamp_pb2 import Timestamp


def event(message: Message, version: int = 1) -> Event:
    return Event(uuid4(), "t", "/test", datetime.now(UTC), uuid4(), version, message, "topic")


SOUND = ExampleCreated(
    example_id="1",
    context={"passage": "a"},
    context_tags=["x"],
    attempt=2**31 - 1,
    answers=[TargetAnswer(target="t", probabilities={"a": 0.5})],
    created_at=Timestamp(seconds=1_700_000_000),
)


@pytest.mark.parametrize("message", [SOUND, ExampleRetracted(), DatasetReleased(splits={"train": 2**40})])
def test_a_sound_event_has_no_flaw(message: Message) -> None:
    assert flaw_of(event(message)) is None


@pytest.mark.parametrize(
    "message, flaw",
    [
        (ExampleCreated(claimed="a\x00b"), "claimed holds the NUL character"),
        (ExampleCreated(context={"passage": "\x00"}), "context holds the NUL character"),
        (ExampleCreated(context={"\x00": "a"}), "context holds the NUL character"),
        (ExampleCreated(context_tags=["a", "\x00"]), "context_tags holds the NUL character"),
        (ExampleCreated(answers=[TargetAnswer(value="\x00")]), "answers.value holds the NUL character"),
        (
            ExampleCreated(answers=[TargetAnswer(probabilities={"a": float("nan")})]),
            "answers.probabilities is nan",
        ),
        (ExampleCreated(attempt=2**31), "attempt is out of range: 2147483648"),
        (ExampleCreated(created_at=Timestamp(seconds=10**12)), "created_at is no moment of the calendar"),
    ],
)
def test_a_flaw_is_named(message: ExampleCreated, flaw: str) -> None:
    assert flaw_of(event(message)) == flaw


@pytest.mark.parametrize("version", [-1, 2**31])
def test_a_version_must_fit(version: int) -> None:
    assert "aggregate_version" in str(flaw_of(event(SOUND, version)))
