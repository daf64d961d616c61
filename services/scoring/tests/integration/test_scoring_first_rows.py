"""Rows of a released dataset, as anybody reads them without its files."""

from typing import Any

import pytest
from dynabench_common.object_store import S3ObjectStore
from dynabench_common.work.retried_jobs import JobRunner
from flask.testing import FlaskClient
from scoring.adapters import first_rows
from scoring.service_layer.dependencies import WorkerDependencies

from services.scoring.tests.conftest import LABELS, Story
from services.scoring.tests.scoring_releases import API, Headers, fetch, lines, released


@pytest.fixture
def dataset_id(
    client: FlaskClient, builder: JobRunner[WorkerDependencies], story: Story, owner: Headers
) -> str:
    return released(client, builder, story, owner, dev=10, test=5)


def rows(client: FlaskClient, dataset_id: str, **asked: Any) -> dict[str, Any]:
    answer = client.get(f"{API}/datasets/{dataset_id}/rows", query_string=asked)
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.get_json()
    return found


def test_the_rows_are_those_of_the_files(client: FlaskClient, dataset_id: str) -> None:
    stored = lines(fetch(client, dataset_id, "data/dev.jsonl.gz"))
    found = rows(client, dataset_id, split="dev")
    assert [row["id"] for row in found["rows"]] == [line["id"] for line in stored]
    assert (found["next_offset"], found["searched"], found["is_limit_reached"]) == (None, 10, False)
    assert [column["name"] for column in found["columns"]] == list(found["rows"][0])
    types = {column["name"]: column["type"] for column in found["columns"]}
    assert (types["context_prompt"], types["input_text"], types["label"]) == (
        "string", "string", "multiclass",
    )  # fmt: skip
    one = found["rows"][0]
    assert one["context_prompt"] == "A day at the sea."
    assert [(each["name"], each["wrong"]) for each in one["targets"]] == [
        ("roberta", True),
        ("deberta", None),
    ]
    assert "votes" not in one
    assert "author" not in one


def test_rows_continue_at_an_offset(client: FlaskClient, dataset_id: str) -> None:
    first = rows(client, dataset_id, limit=30)
    rest = rows(client, dataset_id, limit=30, offset=first["next_offset"])
    ids = [row["id"] for row in (*first["rows"], *rest["rows"])]
    assert len(set(ids)) == len(ids) == 45
    assert rest["next_offset"] is None


def test_rows_of_a_label_are_searched_up_to_a_limit(
    client: FlaskClient, dataset_id: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    by_label = {label: rows(client, dataset_id, label=label)["rows"] for label in LABELS}
    assert sum(map(len, by_label.values())) == 45
    assert all(row["label"] == label for label, found in by_label.items() for row in found)
    monkeypatch.setattr(first_rows, "MOST_SEARCHED", 5)
    limited = rows(client, dataset_id, label=LABELS[0])
    assert (limited["searched"], limited["is_limit_reached"]) == (5, True)


def test_a_dataset_states_its_labels_and_warning(client: FlaskClient, dataset_id: str) -> None:
    (listed,) = client.get(f"{API}/datasets").get_json()["items"]
    assert (listed["labels"], listed["content_warning"]) == (LABELS, "")
    whole = client.get(f"{API}/datasets/{dataset_id}").get_json()
    assert whole["labels"] == LABELS


def test_an_unknown_split_or_dataset_is_refused(client: FlaskClient, dataset_id: str, story: Story) -> None:
    refused = client.get(f"{API}/datasets/{dataset_id}/rows?split=disputed")
    assert (refused.status_code, refused.get_json()["field"]) == (404, "split")
    refused = client.get(f"{API}/datasets/{story.new_id()}/rows")
    assert (refused.status_code, refused.get_json()["field"]) == (404, "dataset_id")


def test_a_store_without_the_file_is_not_available(
    client: FlaskClient, dataset_id: str, store: S3ObjectStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(store._bucket, "prefix", "elsewhere/")
    answer = client.get(f"{API}/datasets/{dataset_id}/rows")
    assert (answer.status_code, answer.get_json()["type"]) == (503, "/problems/objects-unavailable")
