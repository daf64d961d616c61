"""A round released, from events to files that others read."""

import gzip
import hashlib
import io
import json
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any

import mlcroissant
import pyarrow.parquet as pq
import pytest
import urllib3
from dynabench_common.schemas import encode_cursor
from dynabench_common.testing import FixedClock
from flask.testing import FlaskClient
from scoring.adapters.dataset_files import DatasetFiles
from scoring.adapters.object_store import S3ObjectStore
from scoring.adapters.tables import dataset, example, outbox, release, release_key, vote
from scoring.adapters.unit_of_work import snapshot
from scoring.bootstrap import make_uow_factory
from scoring.service_layer.build_release import ReleaseBuilder
from scoring.service_layer.jobs import LEASE_SECONDS, MOST_ATTEMPTS
from scoring.service_layer.measure import Measurer
from sqlalchemy import Engine, func, select

NewStory = Callable[..., Any]
Feed = Callable[..., None]
Headers = dict[str, str]
API = "/api/scoring/v1"


def ask(client: FlaskClient, story: Any, owner: Headers, **body: Any) -> dict[str, Any]:
    answer = client.post(f"{API}/rounds/{story.round_id}/releases", json=body, headers=owner)
    assert answer.status_code == 202, answer.text
    asked: dict[str, Any] = answer.get_json()
    return asked


def state(client: FlaskClient, asked: Mapping[str, Any], owner: Headers) -> dict[str, Any]:
    found: dict[str, Any] = client.get(f"{API}/releases/{asked['release_id']}", headers=owner).get_json()
    return found


def released(client: FlaskClient, builder: ReleaseBuilder, story: Any, owner: Headers, **body: Any) -> str:
    asked = ask(client, story, owner, **body)
    assert builder.turn()
    done = state(client, asked, owner)
    assert (done["state"], done["progress"], done["error"]) == ("done", 1.0, None)
    return str(done["dataset_id"])


def fetch(client: FlaskClient, dataset_id: str, path: str) -> bytes:
    answer = client.get(f"{API}/datasets/{dataset_id}/files/{path}")
    assert answer.status_code == 302, answer.text
    reply = urllib3.request("GET", answer.headers["Location"])
    assert reply.status == 200
    return reply.data


def lines(content: bytes) -> list[dict[str, Any]]:
    return [json.loads(line) for line in gzip.decompress(content).splitlines()]


@pytest.fixture
def story(engine: Engine, new_story: NewStory, feed: Feed) -> Any:
    made = new_story()
    feed(engine, made.finished())
    return made


def test_a_release_gives_files_that_match_their_checksums(
    client: FlaskClient, builder: ReleaseBuilder, story: Any, owner: Headers, engine: Engine
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
    client: FlaskClient, builder: ReleaseBuilder, story: Any, owner: Headers, engine: Engine
) -> None:
    released(client, builder, story, owner)
    assert not builder.turn()
    with engine.connect() as connection:
        types = connection.execute(select(outbox.c.type).order_by(outbox.c.id)).scalars().all()
    assert types == ["dynabench.dataset.v1.DatasetReleased", "dynabench.audit.v1.ActionTaken"]


def test_a_killed_workers_release_is_taken_over_and_ended_once(
    client: FlaskClient,
    builder: ReleaseBuilder,
    story: Any,
    owner: Headers,
    engine: Engine,
    clock: FixedClock,
    store: S3ObjectStore,
) -> None:
    """The worker dies while it stores files; its lease ends; what it would still have done comes too late."""
    asked = ask(client, story, owner)
    doomed = ReleaseBuilder(
        make_uow_factory(engine), partial(snapshot, engine), DyingStore(store, 3), DatasetFiles(), clock
    )
    killed = doomed.claim()
    assert killed is not None
    with pytest.raises(Killed):
        doomed.attempt(killed)
    shown = state(client, asked, owner)
    assert (shown["state"], shown["step"], shown["progress"]) == ("building", "storing files", 0.86)
    assert not builder.turn(), "nobody takes a job over while its lease runs"
    clock.move(LEASE_SECONDS)
    assert builder.turn()
    assert state(client, asked, owner)["state"] == "done"
    builder.attempt(killed)
    with engine.connect() as connection:
        assert connection.execute(select(func.count()).select_from(dataset)).scalar_one() == 1
        assert connection.execute(select(func.count()).select_from(outbox)).scalar_one() == 2


class Killed(BaseException):
    """The end of a process, as far as a test can have it."""


class DyingStore:
    """An object store whose worker dies when it has stored some files."""

    def __init__(self, store: S3ObjectStore, survives: int) -> None:
        self._store = store
        self._survives = survives

    def store(self, key: str, path: Path, media_type: str) -> None:
        if self._survives == 0:
            raise Killed
        self._survives -= 1
        self._store.store(key, path, media_type)

    def fetch(self, key: str, path: Path) -> None:
        self._store.fetch(key, path)


def test_the_same_facts_and_options_give_the_same_digest(
    client: FlaskClient, builder: ReleaseBuilder, owner: Headers, engine: Engine, new_story: NewStory,
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
            for table in (release, dataset):
                connection.execute(table.delete())
    assert digests[0] == digests[1]


def test_no_exported_byte_names_a_person(
    client: FlaskClient, builder: ReleaseBuilder, story: Any, owner: Headers, engine: Engine, feed: Feed
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
    """Return a file with what is compressed in it beside it, as text."""
    if content.startswith(b"\x1f\x8b"):
        return gzip.decompress(content)
    if content.startswith(b"PAR1"):
        rows = pq.read_table(io.BytesIO(content)).to_pylist()
        return content + json.dumps(rows, default=str).encode()
    return content


def test_croissant_and_datasets_read_what_was_released(
    client: FlaskClient, builder: ReleaseBuilder, story: Any, owner: Headers, tmp_path: Path
) -> None:
    dataset_id = released(client, builder, story, owner, dev=10, test=5)
    for split in ("train", "dev", "test"):
        (tmp_path / "data").mkdir(exist_ok=True)
        (tmp_path / f"data/{split}.parquet").write_bytes(fetch(client, dataset_id, f"data/{split}.parquet"))
    (tmp_path / "croissant.json").write_bytes(fetch(client, dataset_id, "croissant.json"))
    found = mlcroissant.Dataset(str(tmp_path / "croissant.json"))
    assert not found.metadata.ctx.issues.errors
    assert len(list(found.records("dev"))) == 10
    served = client.get(f"{API}/datasets/{dataset_id}/croissant").get_json()
    addresses = [file["contentUrl"] for file in served["distribution"]]
    assert f"https://example.org{API}/datasets/{dataset_id}/files/data/train.parquet" in addresses
    assert not mlcroissant.Dataset(served).metadata.ctx.issues.errors
    read = load_parquet(
        {split: str(tmp_path / f"data/{split}.parquet") for split in ("train", "dev", "test")}
    )
    assert {split: len(read[split]) for split in read} == {"train": 45, "dev": 10, "test": 5}
    assert read["train"][0]["context_prompt"] == "A day at the sea."


def load_parquet(data_files: dict[str, str]) -> Any:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HF_HUB_OFFLINE", "1")
        patch.setenv("HF_DATASETS_OFFLINE", "1")
        import datasets

        cache = str(Path(next(iter(data_files.values()))).parents[1] / "cache")
        return datasets.load_dataset("parquet", data_files=data_files, cache_dir=cache)


def test_a_released_dataset_is_measured_from_its_files(
    client: FlaskClient, builder: ReleaseBuilder, measurer: Measurer, story: Any, owner: Headers
) -> None:
    dataset_id = released(client, builder, story, owner)
    first = client.get(f"{API}/datasets/{dataset_id}/measurements")
    assert (first.status_code, first.get_json()) == (202, {"state": "computing"})
    assert measurer.turn()
    then = client.get(f"{API}/datasets/{dataset_id}/measurements")
    assert then.status_code == 200
    assert then.get_json()["state"] == "done"
    assert then.get_json()["authors"]["people"] == 12


def test_what_fails_again_and_again_is_given_up(
    client: FlaskClient, builder: ReleaseBuilder, story: Any, owner: Headers, clock: FixedClock,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    asked = ask(client, story, owner)
    monkeypatch.setattr(builder, "work", fails)
    for attempt in range(1, MOST_ATTEMPTS + 2):
        assert builder.turn(), attempt
        clock.move(120)
    ended = state(client, asked, owner)
    assert (ended["state"], ended["error"]["kind"]) == ("failed", "gave-up")
    ask(client, story, owner)


def fails(*_: object) -> None:
    raise OSError("the disk is full")


def test_datasets_are_listed_the_newest_first_page_by_page(
    client: FlaskClient,
    builder: ReleaseBuilder,
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
    first = client.get(f"{API}/datasets?task=sentiment&limit=2").get_json()
    then = client.get(f"{API}/datasets?limit=2&cursor={first['next_cursor']}").get_json()
    assert [item["dataset_id"] for item in (*first["items"], *then["items"])] == made[::-1]
    assert then["next_cursor"] is None
    assert client.get(f"{API}/datasets?task=nli").get_json()["items"] == []


@pytest.mark.parametrize("position", [[], ["no id"], [1], [{}]])
def test_a_cursor_of_another_list_is_refused(client: FlaskClient, position: list[Any]) -> None:
    assert client.get(f"{API}/datasets?cursor={encode_cursor(*position)}").status_code == 422
