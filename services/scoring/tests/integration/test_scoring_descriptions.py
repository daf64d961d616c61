"""Descriptions of a dataset: card and Croissant, and the data that a release leaves out."""

import io
from pathlib import Path
from typing import Any

import mlcroissant
import pyarrow.parquet as pq
import pytest
import yaml
from dynabench_common.events.cloud_events import Event
from dynabench_common.work.retried_jobs import JobRunner
from evaluation.adapters.tables import evaluation_dataset
from flask.testing import FlaskClient
from google.protobuf import json_format
from scoring.adapters.tables import dataset, release
from scoring.service_layer.dependencies import WorkerDependencies
from sqlalchemy import Engine

from services.scoring.tests.conftest import Story
from services.scoring.tests.scoring_releases import API, Feed, Headers, NewStory, fetch, lines, released

DIGEST = "sha256:" + "0" * 64


def test_croissant_and_datasets_read_what_was_released(
    client: FlaskClient, builder: JobRunner[WorkerDependencies], story: Story, owner: Headers, tmp_path: Path
) -> None:
    dataset_id = released(client, builder, story, owner, dev=10, test=5)
    for split in ("train", "dev", "test"):
        (tmp_path / "data").mkdir(exist_ok=True)
        (tmp_path / f"data/{split}.parquet").write_bytes(fetch(client, dataset_id, f"data/{split}.parquet"))
    (tmp_path / "croissant.json").write_bytes(fetch(client, dataset_id, "croissant.json"))
    found = mlcroissant.Dataset(str(tmp_path / "croissant.json"))
    assert not found.metadata.ctx.issues.errors
    records = list(found.records("dev"))
    assert len(records) == 10
    assert [part["dev/votes/option"].decode() for part in records[0]["dev/votes"]] == [
        records[0]["dev/label"].decode()
    ] * 2
    assert records[0]["dev/tags"] == [b"sea"]
    assert [part["dev/targets/wrong"] for part in records[0]["dev/targets"]] == [True, None]
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


def test_explanations_are_released_and_exported_only_if_their_owner_says_so(
    client: FlaskClient,
    builder: JobRunner[WorkerDependencies],
    owner: Headers,
    engine: Engine,
    new_story: NewStory,
    feed: Feed,
) -> None:
    story = new_story()
    events = story.finished(metadata=METADATA)
    feed(engine, [*events, *(story.explained(event, "Because.") for event in events if is_try(event))])
    export = f"{API}/rounds/{story.round_id}/export"
    preview = f"{API}/rounds/{story.round_id}/release/preview"
    assert "Because." not in client.get(export, headers=owner).text
    assert "Because." in client.get(f"{export}?explanations=true", headers=owner).text
    assert not client.get(preview, headers=owner).get_json()["notices"]
    (notice,) = client.get(f"{preview}?explanations=true", headers=owner).get_json()["notices"]
    assert "Explanations" in notice
    without = released(client, builder, story, owner)
    (one, *_) = lines(fetch(client, without, "data/train.jsonl.gz"))
    assert ("explanations" in one, one["metadata"]) == (False, {"topic": "travel"})
    assert "are left out" in client.get(f"{API}/datasets/{without}/card").text
    with engine.begin() as connection:
        for table in (release, dataset, evaluation_dataset):
            connection.execute(table.delete())
    including = released(client, builder, story, owner, explanations=True)
    (one, *_) = lines(fetch(client, including, "data/train.jsonl.gz"))
    assert one["explanations"] == {"label": "Because.", "model": ""}
    assert one["metadata"] == {"topic": "travel", "remark": "Said freely."}
    rows = pq.read_table(io.BytesIO(fetch(client, including, "data/train.parquet"))).to_pylist()
    assert (rows[0]["metadata_remark"], rows[0]["explanations"]["label"]) == ("Said freely.", "Because.")
    assert "chose to include explanations" in client.get(f"{API}/datasets/{including}/card").text
    assert not mlcroissant.Dataset(
        client.get(f"{API}/datasets/{including}/croissant").get_json()
    ).metadata.ctx.issues.errors


METADATA = {
    "create": [
        {"name": "topic", "type": "multiclass", "labels": ["travel", "food"]},
        {"name": "remark", "type": "string"},
    ]
}


def is_try(event: Event) -> bool:
    return bool(event.type.endswith(".ExampleCreated"))


def test_the_card_counts_the_whole_round(
    client: FlaskClient,
    builder: JobRunner[WorkerDependencies],
    owner: Headers,
    engine: Engine,
    new_story: NewStory,
    feed: Feed,
) -> None:
    """Of 26 tries 21 are confirmed; of one all were unsure, and two fooled nobody. Three in the splits are nobody's."""
    story = new_story()
    events = [*story.collected(10, 2), *story.confirmed(None)]
    gone, disputed = story.tried("negative", ["positive", ""]), story.tried("negative", ["positive", ""])
    unsure = story.tried("negative", ["positive", ""])
    plain = [story.tried("negative", ["negative", ""]) for _ in range(2)]
    votes = [
        story.voted(disputed, option, version) for version, option in enumerate(("negative", "neutral"), 1)
    ]
    feed(
        engine,
        [*events, gone, story.retracted(gone), disputed, *votes, story.resolved(disputed, "disputed"), *plain,
         unsure, story.resolved(unsure, "disputed"), story.moved("closed", 4)],
    )  # fmt: skip
    dataset_id = released(client, builder, story, owner, accept_unresolved=True, description="By the sea.")
    card = client.get(f"{API}/datasets/{dataset_id}/card").text
    head = yaml.safe_load(card.split("---")[1])
    assert head["license"] == "cc-by-4.0"
    assert head["configs"][0]["data_files"][1] == {"split": "dev", "path": "data/dev.parquet"}
    assert head["language"] == ["en"]
    for row in (
        "| tries | 26 |",
        "| of them fooled | 23 |",
        "| validated errors | 21 |",
        "| MER (fooled / tries) | 88.5% |",
        "| vMER (validated errors / tries) | 80.8% |",
        "| raw agreement of votes | 95.5% |",
        f"| roberta | {DIGEST} |",
        "| deberta | not known |",
    ):
        assert row in card
    found = client.get(f"{API}/datasets/{dataset_id}").get_json()
    stated = found["about"]["collected"]
    assert (stated["fooled_correct"], stated["fooled_resolved"]) == (21, 22)
    assert sum(found["counts"]["unknown_authors"].values()) == 3
    assert 0.5 < stated["agreement"]["krippendorff_alpha"] < 1


@pytest.mark.parametrize("licence", ["https://example.org/Terms", "For research alone"])
def test_a_licence_that_is_no_spdx_identifier_stands_as_it_was_given(
    client: FlaskClient, builder: JobRunner[WorkerDependencies], story: Story, owner: Headers, licence: str
) -> None:
    dataset_id = released(client, builder, story, owner, licence=licence)
    head = yaml.safe_load(client.get(f"{API}/datasets/{dataset_id}/card").text.split("---")[1])
    assert (head["license"], head["license_name"]) == ("other", licence)
    assert client.get(f"{API}/datasets/{dataset_id}/croissant").get_json()["license"] == licence


def test_a_release_tells_what_was_kept_of_answers_votes_and_tries(
    client: FlaskClient,
    builder: JobRunner[WorkerDependencies],
    owner: Headers,
    engine: Engine,
    new_story: NewStory,
    feed: Feed,
) -> None:
    """Uncounted votes are listed separately, and disputed examples have their own split; free text stays out."""
    story = new_story()
    context_id, original = story.new_id(), story.new_id()
    tried = story.tried(
        "negative", ["positive", ""], story.new_id(), attempt=2, seconds_since_context=7.5, probes_before=3,
        assigned_label="negative", perturbation_of=str(original), source_id="r-17",
    )  # fmt: skip
    json_format.ParseDict({"contextId": str(context_id)}, tried.message)
    answer = tried.message.answers[0]  # type: ignore[attr-defined]
    answer.model_digest, answer.confidence = DIGEST, 0.75
    answer.probabilities.update({"positive": 0.75, "negative": 0.25})
    vote, late = story.voted(tried, "negative", 1), story.voted(tried, "neutral", 4)
    vote.message.seconds, late.message.counted = 12.0, False  # type: ignore[attr-defined]
    vote.message.reason = "A name."  # type: ignore[attr-defined]
    disputed = story.tried("negative", ["positive", ""], story.new_id())
    waiting = story.tried("negative", ["positive", ""], story.new_id())
    feed(
        engine,
        [*story.collected(10, 2), tried, vote, story.judged(vote, 2), story.resolved(tried, "correct", "negative", 3),
         late, disputed, story.resolved(disputed, "disputed"), waiting, story.moved("closed", 4)],
    )  # fmt: skip
    dataset_id = released(client, builder, story, owner, dev=0, test=0, accept_unresolved=True)
    rows = {row["id"]: row for row in lines(fetch(client, dataset_id, "data/train.jsonl.gz"))}
    row = rows[str(tried.aggregate_id)]
    assert {
        name: row[name] for name in ("context_id", "attempt", "seconds_since_context", "probes_before")
    } == {
        "context_id": str(context_id),
        "attempt": 2,
        "seconds_since_context": 7.5,
        "probes_before": 3,
    }
    assert (row["assigned_label"], row["perturbation_of"], row["source_id"]) == (
        "negative",
        str(original),
        "r-17",
    )
    assert (row["target_digest"]["roberta"], row["target_confidence"]["roberta"]) == (DIGEST, 0.75)
    assert row["target_probabilities"]["roberta"][1] == {"label": "positive", "probability": 0.75}
    assert {each["seconds_since_context"] for each in rows.values()} == {7.5, None}
    (counted,), (uncounted,) = row["votes"], row["uncounted_votes"]
    assert (counted["seconds"], counted["agrees"], "reason" in counted) == (12.0, True, False)
    assert counted["cast_at"].startswith("2026-03-02T")
    assert uncounted["option"] == "neutral"
    (apart,) = lines(fetch(client, dataset_id, "data/disputed.jsonl.gz"))
    assert (apart["id"], apart["label"], apart["split"]) == (str(disputed.aggregate_id), None, "disputed")
    assert str(disputed.aggregate_id) not in rows
    card = client.get(f"{API}/datasets/{dataset_id}/card").text
    assert "1 examples still waited for votes" in card
    table = pq.read_table(io.BytesIO(fetch(client, dataset_id, "data/train.parquet"))).to_pylist()
    answers = next(each for each in table if each["id"] == row["id"])["targets"]
    assert answers[0]["probabilities"] == '{"negative":0.25,"positive":0.75}'


def test_the_licence_of_a_round_from_elsewhere_is_asked_for(
    client: FlaskClient,
    builder: JobRunner[WorkerDependencies],
    owner: Headers,
    engine: Engine,
    new_story: NewStory,
    feed: Feed,
) -> None:
    story = new_story()
    tries = [event for _ in range(6) for event in story.confirmed(story.new_id())]
    feed(engine, [story.configured(), story.drafted(origin="imported"), story.moved("closed", 2), *tries])
    address = f"{API}/rounds/{story.round_id}"
    assert "licence" in client.get(f"{address}/release/preview", headers=owner).get_json()["notices"][0]
    refused = client.post(f"{address}/releases", json={"dev": 0, "test": 0}, headers=owner)
    assert (refused.status_code, refused.get_json()["field"]) == (409, "licence")
    dataset_id = released(client, builder, story, owner, dev=0, test=0, licence="CC-BY-SA-3.0")
    assert 'license: "cc-by-sa-3.0"' in client.get(f"{API}/datasets/{dataset_id}/card").text
