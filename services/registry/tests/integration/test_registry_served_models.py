"""Desired models in PostgreSQL: models of the file and submitted models share one namespace."""

from collections.abc import Iterator
from dataclasses import replace
from uuid import uuid4

import pytest
from dynabench_archives.model_servers import Archive, Pool
from dynabench_common.database.connections import create_database_engine
from registry.adapters.served_models import ServingNameTaken, SqlServedModels
from registry.domain.served_model import Origin, ServedModel, submitted_model
from sqlalchemy import Connection

from conftest import Infrastructure

ARCHIVE = Archive(f"{'a' * 64}.mar", f"sha256:{'a' * 64}", "sha256:m", "sha256:h", 1_000, "served/a.mar")
DESCRIPTION = {"task_type": "text-classification", "fields": ["text"], "labels": ["no", "yes"]}
MINE = submitted_model("mine-v1", "1", "sentiment", DESCRIPTION, ARCHIVE, Pool.SHARED)


@pytest.fixture
def connection(infrastructure: Infrastructure) -> Iterator[Connection]:
    url = infrastructure.create_migrated_database("registry").url
    engine = create_database_engine(url, "test")
    with engine.begin() as opened:
        yield opened
    engine.dispose()


def test_what_is_put_is_read_again(connection: Connection) -> None:
    models, submission = SqlServedModels(connection), uuid4()
    models.put(MINE, ARCHIVE, Origin.SUBMISSION, Pool.SHARED, submission)
    coded = submitted_model("coded-v2", "2", "nli", DESCRIPTION, ARCHIVE, Pool.SANDBOXED)
    models.put(coded, ARCHIVE, Origin.SUBMISSION, Pool.SANDBOXED, submission)
    models.put(replace(MINE, name="shipped"), "not built yet", Origin.FILE, Pool.SHARED)
    assert models.wanted() == (
        ServedModel(coded, ARCHIVE, Origin.SUBMISSION, Pool.SANDBOXED, submission),
        ServedModel(MINE, ARCHIVE, Origin.SUBMISSION, Pool.SHARED, submission),
        ServedModel(replace(MINE, name="shipped"), "not built yet", Origin.FILE, Pool.SHARED),
    )
    assert MINE.explain is not None
    assert coded.explain is None
    assert models.withdraw("mine-v1")
    assert not models.withdraw("mine-v1")
    assert [model.name for model in models.wanted()] == ["coded-v2", "shipped"]


def test_a_name_belongs_to_who_has_it(connection: Connection) -> None:
    models, submission = SqlServedModels(connection), uuid4()
    models.put(MINE, ARCHIVE, Origin.SUBMISSION, Pool.SHARED, submission)
    with pytest.raises(ServingNameTaken, match="mine-v1"):
        models.put(MINE, ARCHIVE, Origin.SUBMISSION, Pool.SHARED, uuid4())
    with pytest.raises(ServingNameTaken, match="mine-v1"):
        models.put(MINE, ARCHIVE, Origin.FILE, Pool.SHARED)
    newer = replace(ARCHIVE, sha256="sha256:b")
    models.put(MINE, newer, Origin.SUBMISSION, Pool.SHARED, submission)
    assert [model.archive for model in models.wanted()] == [newer]


def test_models_that_left_the_file_are_withdrawn_and_those_of_people_stay(connection: Connection) -> None:
    models = SqlServedModels(connection)
    models.put(MINE, ARCHIVE, Origin.SUBMISSION, Pool.SHARED, uuid4())
    for name in ("kept", "left"):
        models.put(replace(MINE, name=name), ARCHIVE, Origin.FILE, Pool.SHARED)
    models.withdraw_of_file_except({"kept"})
    assert [model.name for model in models.wanted()] == ["kept", "mine-v1"]
