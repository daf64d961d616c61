"""A round released, from events to files that others read."""

import gzip
import hashlib
import io
import json
from typing import Any

import pyarrow.parquet as pq
import pytest
from dynabench_common.http.schemas import encode_cursor
from dynabench_common.testing import FixedClock
from dynabench_common.work.retried_jobs import JobRunner
from evaluation.adapters.tables import evaluation_dataset
from flask.testing import FlaskClient
from scoring.adapters.tables import dataset, example, outbox, release, release_key, vote
from scoring.service_layer.dependencies import Dependencies, WorkerDependencies
from sqlalchemy import Engine, select

from services.scoring.tests.conftest import Story
from services.scoring.tests.scoring_releases import API, Feed, Headers, NewStory, fetch, lines, released


def test_a_release_gives_files_that_match_their_checksums(
    client: FlaskClient, builder: JobRunner[WorkerDependencies], story: Story, owner: Headers, engine: Engine
) -> None:
    dataset_id = released(client, builder, story, owner, dev=10, test=5, seed=7, description="By the sea.")
    found = client.get(f"{API}/datasets/{dataset_id}").get_json()
    assert {name: split["examples"] for name, split in found["splits"].items()} == {
        "train": 45, "dev": 10, "test": 5,
    }  # fmt: skip
    assert (found["name"], found["version"], found["measurements"]) == ("sentiment-round-1", 1, "computing")
    files = {file["path"]: file for file in found["files"]}
    for path, file in files.items():
        content = fetch(client, dataset_id, path)
        assert (len(content), hashlib.sha256(content).hexdigest()) == (file["size"], file["sha256"]), path
    assert found["digest"] == f"sha256:{files['manifest.json']['sha256']}"
    rows = {split: lines(fetch(client, dataset_id, f"data/{split}.jsonl.gz")) for split in found["splits"]}
    authors = {split: {row["author"] for row in rows[split]} for split in rows}
    assert (
        not authors["train"] & authors["dev"]
        | authors["train"] & authors["test"]
        | authors["dev"] & authors["test"]
    )
    table = pq.read_table(io.BytesIO(fetch(client, dataset_id, "data/dev.parquet"))).to_pylist()
    assert [row["input_text"] for row in table] == [row["input"]["text"] for row in rows["dev"]]
    assert [row["id"] for row in table] == sorted(row["id"] for row in rows["dev"])
    one = rows["dev"][0]
    assert one["label"] == one["claimed"] == table[0]["label"]
    assert (one["resolution"], one["segment"], one["tags"], len(one["votes"])) == ("correct", 1, ["sea"], 2)
    assert one["target_wrong"] == {"roberta": True, "deberta": None}
    card = client.get(f"{API}/datasets/{dataset_id}/card")
    assert card.content_type == "text/markdown; charset=utf-8"
    assert "By the sea." in card.text


def test_a_release_tells_of_itself_once(
    client: FlaskClient, builder: JobRunner[WorkerDependencies], story: Story, owner: Headers, engine: Engine
) -> None:
    released(client, builder, story, owner)
    assert not builder.turn()
    with engine.connect() as connection:
        types = connection.execute(select(outbox.c.type).order_by(outbox.c.id)).scalars().all()
    assert types == ["dynabench.dataset.v1.DatasetReleased", "dynabench.audit.v1.ActionTaken"]


def test_the_same_facts_and_options_give_the_same_digest(
    client: FlaskClient, builder: JobRunner[WorkerDependencies], owner: Headers, engine: Engine, new_story: NewStory,
    feed: Feed, clock: FixedClock,
) -> None:  # fmt: skip
    """Another order of arrival, another moment: all that differs is not content."""
    digests = []
    for size in (7, 200):
        story = new_story(5)
        feed(engine, list(reversed(story.finished())), size)
        digests.append(
            client.get(f"{API}/datasets/{released(client, builder, story, owner)}").get_json()["digest"]
        )
        clock.move(86_400)
        with engine.begin() as connection:
            for table in (release, dataset, evaluation_dataset):
                connection.execute(table.delete())
    assert digests[0] == digests[1]


def test_no_exported_byte_names_a_person(
    client: FlaskClient,
    builder: JobRunner[WorkerDependencies],
    story: Story,
    owner: Headers,
    engine: Engine,
    feed: Feed,
) -> None:
    """People's ids as text and as bytes, and the key of their pseudonyms, in every file and export."""
    with engine.connect() as connection:
        written = connection.execute(select(example.c.author_id)).scalars().all()
        people = {*written, *connection.execute(select(vote.c.voter_id)).scalars()}
    dataset_id = released(client, builder, story, owner)
    with engine.connect() as connection:
        keys = [bytes(key) for key in connection.execute(select(release_key.c.key)).scalars()]
    secret = [*(str(person).encode() for person in people), *(person.hex.encode() for person in people)]
    secret += [*(person.bytes for person in people), *keys, *(key.hex().encode() for key in keys)]
    assert len(people) > 100
    found = client.get(f"{API}/datasets/{dataset_id}").get_json()
    exported = {file["path"]: readable(fetch(client, dataset_id, file["path"])) for file in found["files"]}
    for written_as in ("jsonl", "parquet"):
        answer = client.get(f"{API}/rounds/{story.round_id}/export?format={written_as}", headers=owner)
        exported[written_as] = readable(answer.data)
    exported["description"] = json.dumps(found).encode()
    for name, content in exported.items():
        assert not [hidden for hidden in secret if hidden in content], name


def readable(content: bytes) -> bytes:
    """Return a file's content with its compressed parts as text."""
    if content.startswith(b"\x1f\x8b"):
        return gzip.decompress(content)
    if content.startswith(b"PAR1"):
        rows = pq.read_table(io.BytesIO(content)).to_pylist()
        return content + json.dumps(rows, default=str).encode()
    return content


def test_a_released_dataset_is_measured_from_its_files(
    client: FlaskClient,
    builder: JobRunner[WorkerDependencies],
    measurer: JobRunner[Dependencies],
    story: Story,
    owner: Headers,
) -> None:
    dataset_id = released(client, builder, story, owner)
    first = client.get(f"{API}/datasets/{dataset_id}/measurements")
    assert (first.status_code, first.get_json()) == (202, {"state": "computing"})
    assert measurer.turn()
    then = client.get(f"{API}/datasets/{dataset_id}/measurements")
    assert then.status_code == 200
    assert then.get_json()["state"] == "done"
    assert then.get_json()["authors"]["people"] == 12


def test_datasets_are_listed_the_newest_first_page_by_page(
    client: FlaskClient,
    builder: JobRunner[WorkerDependencies],
    owner: Headers,
    engine: Engine,
    new_story: NewStory,
    feed: Feed,
) -> None:
    made = []
    for number in range(3):
        story = new_story(number)
        feed(engine, story.finished())
        made.append(released(client, builder, story, owner, description=f"{number}"))
        with engine.begin() as connection:
            connection.execute(dataset.update().where(dataset.c.version == 1).values(version=10 + number))
            connection.execute(evaluation_dataset.delete())
    first = client.get(f"{API}/datasets?task=sentiment&limit=2").get_json()
    then = client.get(f"{API}/datasets?limit=2&cursor={first['next_cursor']}").get_json()
    assert [item["dataset_id"] for item in (*first["items"], *then["items"])] == made[::-1]
    assert then["next_cursor"] is None
    assert client.get(f"{API}/datasets?task=nli").get_json()["items"] == []


@pytest.mark.parametrize("position", [[], ["no id"], [1], [{}]])
def test_a_cursor_of_another_list_is_refused(client: FlaskClient, position: list[Any]) -> None:
    assert client.get(f"{API}/datasets?cursor={encode_cursor(*position)}").status_code == 422
