"""Desired models follow the models file and the store's notes; submitted models stay."""

import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from dynabench_archives.model_servers import Archive, Pool
from registry.adapters.desired_models import DesiredModels
from registry.adapters.models_file import ModelsFile
from registry.adapters.served_models import SqlServedModels
from registry.domain.errors import AgentAway
from registry.domain.notes import StoredNote
from registry.domain.served_model import Origin, submitted_model
from sqlalchemy import Engine

ENTRY: dict[str, Any] = {
    "name": "mini",
    "version": "1",
    "archive": "mini.mar",
    "task": "sentiment",
    "task_type": "text-classification",
    "labels": ["no", "yes"],
}
NOTE = {
    "sha256": "sha256:aa",
    "size": 7,
    "model_digest": "sha256:m",
    "handler_digest": "sha256:h",
    "task_type": "text-classification",
    "fields": ["text"],
    "labels": ["no", "yes"],
}
ARCHIVE = Archive("mini.mar", "sha256:aa", "sha256:m", "sha256:h", 7)


class World:
    """A models file, the notes of a store, and a database."""

    def __init__(self, engine: Engine, folder: Path) -> None:
        self.engine = engine
        self.file = folder / "models.yaml"
        self.notes: dict[str, StoredNote] | None = {"mini.mar": StoredNote(7, NOTE)}
        self.write(ENTRY)
        self.restart()

    def restart(self) -> None:
        self.desired = DesiredModels(self.engine, ModelsFile(self.file), self.read_notes)

    def write(self, *entries: Mapping[str, Any]) -> None:
        self.file.write_text(json.dumps({"models": list(entries)}))

    def read_notes(self) -> Mapping[str, StoredNote]:
        if self.notes is None:
            raise AgentAway("the agent does not answer")
        return self.notes

    def archives(self) -> dict[str, Archive | str]:
        return {model.name: model.archive for model in self.desired.models()}


@pytest.fixture
def world(engine: Engine, tmp_path: Path) -> World:
    return World(engine, tmp_path)


def test_the_file_fills_an_empty_database_and_edits_follow(world: World) -> None:
    assert world.archives() == {"mini": ARCHIVE}
    world.write(ENTRY, {**ENTRY, "name": "other", "workers": 2})
    assert world.archives() == {"mini": ARCHIVE, "other": ARCHIVE}
    assert {model.name: model.declared.workers for model in world.desired.models()}["other"] == 2
    world.write({**ENTRY, "name": "other"})
    assert world.archives() == {"other": ARCHIVE}
    world.write()
    assert world.archives() == {}
    assert world.desired.problem() is None


def test_nothing_is_written_while_nothing_changes(world: World) -> None:
    (before,) = world.desired.models()
    (after,) = world.desired.models()
    assert before.updated_at == after.updated_at
    world.write({**ENTRY, "workers": 3})
    (changed,) = world.desired.models()
    assert changed.updated_at != before.updated_at


def test_a_broken_file_is_told_and_the_last_good_one_stays(world: World) -> None:
    assert world.archives() == {"mini": ARCHIVE}
    world.file.write_text("models: [{name: 'Bad Name'}]")
    assert world.archives() == {"mini": ARCHIVE}
    assert "models[0].name" in str(world.desired.problem())
    world.restart()
    assert world.archives() == {"mini": ARCHIVE}
    assert "models[0].name" in str(world.desired.problem())
    world.file.unlink()
    assert world.archives() == {"mini": ARCHIVE}


def test_a_store_that_can_not_be_asked_leaves_what_was_known(world: World) -> None:
    world.notes = None
    assert world.archives() == {"mini": "the model store could not be looked at yet"}
    world.notes = {"mini.mar": StoredNote(7, NOTE)}
    assert world.archives() == {"mini": ARCHIVE}
    world.notes = None
    world.write({**ENTRY, "workers": 2})
    assert world.archives() == {"mini": ARCHIVE}


@pytest.mark.parametrize(
    ("stored", "reason"),
    [
        (None, "mini.mar is not in the model store; build the archives"),
        (StoredNote(7, "there is no mini.mar.json"), "can't be used: there is no mini.mar.json"),
        (StoredNote(8, NOTE), "disagree about the size; build the archives"),
        (StoredNote(7, {**NOTE, "labels": ["a"], "fields": ["b"]}), "about the fields and the labels"),
        (StoredNote(7, {"size": 7}), "can't be used: KeyError: 'sha256'"),
    ],
)
def test_an_archive_that_can_not_be_served_says_why(
    world: World, stored: StoredNote | None, reason: str
) -> None:
    world.notes = {} if stored is None else {"mini.mar": stored}
    assert reason in str(world.archives()["mini"])


def test_the_file_takes_no_name_of_a_submitted_model(world: World) -> None:
    description = {"task_type": "text-classification", "fields": ["text"], "labels": ["no", "yes"]}
    sent = replace(ARCHIVE, file="sent.mar", key="served/sent.mar")
    theirs = submitted_model("theirs-v1", "1", "sentiment", description, sent, Pool.SHARED)
    with world.engine.begin() as connection:
        SqlServedModels(connection).put(theirs, sent, Origin.SUBMISSION, Pool.SHARED, uuid4())
    world.write(ENTRY, {**ENTRY, "name": "theirs-v1"})
    assert world.archives() == {"mini": ARCHIVE, "theirs-v1": sent}
    assert "models.yaml names theirs-v1" in str(world.desired.problem())
    world.write(ENTRY)
    assert world.archives() == {"mini": ARCHIVE, "theirs-v1": sent}
    assert world.desired.problem() is None
