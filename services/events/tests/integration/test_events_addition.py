"""The event of docs/extend/event.md goes from its aggregate over the wire to a consumer."""

import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from importlib import import_module
from importlib.util import module_from_spec, spec_from_file_location
from itertools import permutations
from pathlib import Path
from types import ModuleType
from typing import Any
from uuid import UUID, uuid4

import dynabench
import dynabench_events
import grpc_tools
import pytest
import yaml
from dynabench_common.database.connections import create_database_engine
from dynabench_common.events.cloud_events import Decoder, Event, PermanentEventError, headers_for
from dynabench_common.events.outbox import OutboxMessage, outbox_message
from google.protobuf import json_format
from grpc_tools import protoc
from sqlalchemy import Engine, select

from conftest import Infrastructure

ADDITIONS = Path(__file__).parents[1] / "additions"
NOON = datetime(2026, 11, 4, 12, tzinfo=UTC)
ROUND_ID, OWNER = UUID(int=3), UUID(int=1)


def load(name: str, path: Path) -> ModuleType:
    spec = spec_from_file_location(name, path)
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def added(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, ModuleType]]:
    """Generate the message and import the modules from the places that the page names."""
    sources, target = tmp_path_factory.mktemp("proto"), tmp_path_factory.mktemp("gen")
    folder = sources / "dynabench/note/v1"
    folder.mkdir(parents=True)
    (folder / "note.proto").write_text((ADDITIONS / "note.proto").read_text())
    well_known = Path(grpc_tools.__file__).parent / "_proto"
    arguments = [f"-I{sources}", f"-I{well_known}", f"--python_out={target}", "dynabench/note/v1/note.proto"]
    assert protoc.main(["protoc", *arguments]) == 0
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(dynabench, "__path__", [*dynabench.__path__, str(target / "dynabench")])
        names = {
            "note": "dynabench_events.note",
            "noted_round": "annotation.domain.noted_round",
            "notes": "leaderboard.adapters.notes",
        }
        modules = {name: load(full, ADDITIONS / f"{name}.py") for name, full in names.items()}
        yield modules
        for full in names.values():
            del sys.modules[full]
        vars(dynabench_events).pop("note", None)


@pytest.fixture
def engine(infrastructure: Infrastructure, added: dict[str, ModuleType]) -> Iterator[Engine]:
    engine = create_database_engine(infrastructure.create_database("notes"), "notes-test")
    added["notes"].round_note.metadata.create_all(engine)
    yield engine
    engine.dispose()


def over_the_wire(message: OutboxMessage, accepts: Any) -> Event:
    headers = headers_for(
        event_id=uuid4(),
        type_name=message.type,
        source="/annotation",
        time=message.occurred_at,
        aggregate_version=message.aggregate_version,
        traceparent=None,
    )
    key = str(message.aggregate_id).encode()
    event = Decoder(accepts).decode(message.topic, key, message.payload, headers)
    assert event is not None
    return event


def test_a_note_comes_to_its_consumer_in_any_order(added: dict[str, ModuleType], engine: Engine) -> None:
    noted, notes = added["noted_round"].NotedRound(round_id=ROUND_ID), added["notes"]
    for text in ("Opens on Monday.", "Open.", "Open.", ""):
        noted.leave_note(text, OWNER, NOON)
    events = [
        over_the_wire(outbox_message(event), notes.NoteProjection.accepts) for event in noted.take_unsaved()
    ]
    assert [(event.topic, event.aggregate_id) for event in events] == [(notes.TOPICS[0], ROUND_ID)] * 3
    for order in permutations([*events, events[0]]):
        with engine.begin() as connection:
            connection.execute(notes.round_note.delete())
            notes.NoteProjection().apply(connection, order)
            rows = connection.execute(select(notes.round_note)).all()
        assert rows == [(ROUND_ID, 3, "")]


def test_what_cant_be_read_is_named(added: dict[str, ModuleType], engine: Engine) -> None:
    record = added["note"].NoteLeft(round_id=ROUND_ID, left_by=OWNER, text="x", left_at=NOON)
    message = json_format.ParseDict({"left_by": "me"}, dynabench_events.encode(record))
    bad = Event(uuid4(), "dynabench.note.v1.NoteLeft", "/t", NOON, ROUND_ID, 1, message, "")
    with (
        engine.begin() as connection,
        pytest.raises(PermanentEventError, match="NoteLeft: left_by is no UUID"),
    ):
        added["notes"].NoteProjection().apply(connection, [bad])


def test_the_topics_example_is_the_event(added: dict[str, ModuleType]) -> None:
    topic = yaml.safe_load((ADDITIONS / "dynabench.note.v1.yaml").read_text())
    (event,) = topic["events"]
    message = import_module("dynabench.note.v1.note_pb2").NoteLeft()
    record = dynabench_events.decode(json_format.ParseDict(event["example"], message))
    assert (record.topic, str(record.aggregate_id)) == (topic["topic"], event["aggregate_id"])
