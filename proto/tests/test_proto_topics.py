"""The topic files say what the .proto files hold, and their examples decode."""

import importlib
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
import yaml
from dynabench_common.events.cloud_events import Decoder, PermanentEventError, headers_for
from dynabench_common.identifiers import new_id
from google.protobuf import json_format
from google.protobuf.message import Message

TOPICS = Path(__file__).parents[1] / "topics"
FILES = sorted(TOPICS.glob("*.yaml"))
PARTS = {
    *("Target", "TargetAnswer", "ImportedVote", "ImportedVoteCast"),
    *("EvaluatedModel", "EvaluatedDataset", "MetricValue", "Influence"),
}
NAMES = [path.name.split(".")[1] for path in FILES]


def document(name: str) -> dict[str, Any]:
    loaded: dict[str, Any] = yaml.safe_load((TOPICS / f"dynabench.{name}.v1.yaml").read_text())
    return loaded


def events() -> list[tuple[str, dict[str, Any]]]:
    return [(name, event) for name in NAMES for event in document(name)["events"]]


def message_class(name: str, type_name: str) -> type[Message]:
    module = importlib.import_module(f"dynabench.{name}.v1.{name}_pb2")
    found: type[Message] = getattr(module, type_name.rsplit(".", 1)[1])
    return found


@pytest.mark.parametrize("name", NAMES)
def test_topic_keeps_events_for_ever_and_names_its_dead_letters(name: str) -> None:
    topic = document(name)
    assert topic["retention_ms"] == -1
    assert topic["dead_letter"] == topic["topic"] + ".dlq"
    assert topic["producers"]


@pytest.mark.parametrize("name", NAMES)
def test_every_event_of_the_package_has_an_example(name: str) -> None:
    module = importlib.import_module(f"dynabench.{name}.v1.{name}_pb2")
    events_of_package = {
        message.full_name
        for message in module.DESCRIPTOR.message_types_by_name.values()
        if is_event(message.name)
    }
    assert {event["type"] for event in document(name)["events"]} == events_of_package


def is_event(message_name: str) -> bool:
    """Events are in the past tense; the other messages are their parts."""
    return message_name not in PARTS


@pytest.mark.parametrize(
    ("name", "event"), events(), ids=lambda value: value if isinstance(value, str) else value["type"]
)
def test_example_survives_the_wire(name: str, event: dict[str, Any]) -> None:
    kind = message_class(name, event["type"])
    message = json_format.ParseDict(event["example"], kind())
    headers = headers_for(
        event_id=new_id(),
        type_name=event["type"],
        source="/test",
        time=datetime.now(UTC),
        aggregate_version=event["aggregate_version"],
        traceparent=None,
    )
    decoded = Decoder([kind]).decode(
        f"dynabench.{name}.v1", event["aggregate_id"].encode(), message.SerializeToString(), headers
    )
    assert decoded is not None
    assert decoded.message == message
    filled = json_format.MessageToDict(
        decoded.message, preserving_proto_field_name=True, always_print_fields_with_no_presence=True
    )
    assert set(event["example"]) <= set(filled)


def test_enums_start_with_unspecified() -> None:
    for name in NAMES:
        module = importlib.import_module(f"dynabench.{name}.v1.{name}_pb2")
        for enum in module.DESCRIPTOR.enum_types_by_name.values():
            assert enum.values[0].number == 0
            assert enum.values[0].name.endswith("_UNSPECIFIED")


@pytest.mark.parametrize(
    ("key", "value", "drop", "reason"),
    [
        (b"not-a-uuid", b"", None, "undecodable"),
        (b"0192f5a0-0000-7000-8000-000000000001", b"\xff\xff\xff", None, "undecodable"),
        (b"0192f5a0-0000-7000-8000-000000000001", b"", None, "empty"),
        (b"0192f5a0-0000-7000-8000-000000000001", b"", "ce_id", "ce_id"),
    ],
)
def test_poison_is_named(key: bytes, value: bytes, drop: str | None, reason: str) -> None:
    kind = message_class("example", "dynabench.example.v1.ExampleRetracted")
    headers = headers_for(
        event_id=new_id(),
        type_name=kind.DESCRIPTOR.full_name,
        source="/test",
        time=datetime.now(UTC),
        aggregate_version=1,
        traceparent=None,
    )
    with pytest.raises(PermanentEventError, match=reason):
        Decoder([kind]).decode("topic", key, value, [header for header in headers if header[0] != drop])
