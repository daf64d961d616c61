"""A set of items comes in, every served model is scored on it, and the board ranks them automatically."""

import json
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from dynabench_client import Dynabench
from dynabench_client.results.leaderboard import ModelBoard
from dynabench_client.results.models import Evaluation
from dynabench_common.testing import wait_until

from tests.made_items import items as made_items
from tests.made_items import lines

pytestmark = pytest.mark.slow

TEXTS = {
    "positive": (
        "I loved the {}.",
        "What a wonderful {}, we were delighted.",
        "The {} was great and so was the view.",
    ),
    "negative": (
        "I hated the {}.",
        "The {} was awful, never again.",
        "A terrible {}: cold, late and expensive.",
    ),
    "neutral": ("The {} is on Monday.", "They moved the {} to the second floor.", "Where is the {}?"),
}
THINGS = ("soup", "concert", "hotel", "meeting", "museum", "course", "train", "garden")
SECONDS = 480.0
LONG = 3_000


@pytest.fixture(scope="module")
def items(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a file of 72 items, of two tags."""
    path = tmp_path_factory.mktemp("items") / "items.jsonl"
    lines = [
        {
            "id": f"{label}-{thing}-{number}",
            "input": {"text": text.format(thing)},
            "context": {"prompt": f"About the {thing}, {label} {number}."},
            "label": label,
            "tags": [label],
        }
        for label, texts in TEXTS.items()
        for number, text in enumerate(texts)
        for thing in THINGS
    ]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return path


@pytest.fixture(scope="module")
def uploaded(owner: Dynabench, items: Path) -> Iterator[tuple[str, str]]:
    """Return name and id of a dataset that every served model has been scored on."""
    name = f"small-talk-{uuid4().hex[:6]}"
    began = time.monotonic()
    made = owner.evaluations.add_dataset("sentiment", name, items.read_bytes())
    wait_until(lambda: ranked(owner, name), SECONDS, "all models to be ranked")
    print(f"upload to rank: {time.monotonic() - began:.1f} s")
    yield name, made.dataset_id


@pytest.fixture
def gateway_away(platform: Any) -> Iterator[Callable[[], None]]:
    """Stops the gateway; it is back with its models when the test ends."""
    replicas = platform.stack.layout.replicas_of("gateway-http")

    def stop() -> None:
        for part in replicas:
            platform.stack.supervisor.stop_part(part)

    yield stop
    platform.stack.up(replicas)
    platform.stack.wait_for_targets()


def board(client: Dynabench, name: str) -> ModelBoard:
    """Return the board by this dataset and right answers alone."""
    others = {
        each.name: 0.0 for each in client.leaderboard.model_board("sentiment").datasets if each.name != name
    }
    weights = {"accuracy": 1.0, "throughput": 0.0, "memory": 0.0, "fairness": 0.0, "robustness": 0.0}
    return client.leaderboard.model_board("sentiment", weights=weights, datasets=others)


def ranked(client: Dynabench, name: str) -> bool:
    whole = client.leaderboard.model_board("sentiment")
    if name not in {each.name for each in whole.datasets}:
        return False
    rows = [row for row in board(client, name).rows if row.is_baseline]
    return bool(rows) and all(row.rank is not None for row in rows)


def test_every_served_model_is_ranked(owner: Dynabench, uploaded: tuple[str, str]) -> None:
    name, dataset_id = uploaded
    found = board(owner, name)
    rows = [row for row in found.rows if row.rank is not None]
    assert [row.rank for row in rows] == list(range(1, len(rows) + 1))
    assert {"sentiment-minilm", "sentiment-words"} <= {row.model for row in rows}
    for row in rows:
        assert row.interval is not None
        assert row.score is not None
        assert row.interval[0] < row.score < row.interval[1]
        on = row.datasets[name]
        assert on.metrics["accuracy"].n == 72
        assert on.metrics["throughput"].value > 0
    scores = {one.model: one for one in owner.evaluations.evaluations(dataset_id=dataset_id).items}
    minilm = {value.metric: value.value for value in scores["sentiment-minilm"].values}
    assert minilm["accuracy"] > 50
    assert {slice_.tag for slice_ in scores["sentiment-minilm"].slices} == set(TEXTS)


def test_two_models_are_compared_and_predictions_scored(
    dynabench: Callable[..., Any], uploaded: tuple[str, str], items: Path, tmp_path: Path
) -> None:
    name, dataset_id = uploaded
    found = dynabench("compare", "sentiment-minilm", "sentiment-words", "--dataset", dataset_id)
    assert found["only_first"] + found["only_second"] + found["both"] + found["neither"] == 72
    answers = tmp_path / "answers.jsonl"
    lines = [json.loads(line) for line in items.read_text().splitlines()]
    answers.write_text("".join(json.dumps({"id": one["id"], "answer": one["label"]}) + "\n" for one in lines))
    model = f"oracle-{uuid4().hex[:6]}"
    scored = dynabench("predictions", "upload", str(answers), "--model", model, "--dataset", dataset_id)
    assert scored["state"] == "done"
    values = {value["metric"]: value["value"] for value in scored["values"]}
    assert values["accuracy"] == 100.0

    def first() -> bool:
        weights = "accuracy=1,throughput=0,memory=0,fairness=0,robustness=0"
        whole = dynabench("board", "--task", "sentiment", "--weights", weights)
        others = ",".join(f"{each['name']}=0" for each in whole["datasets"] if each["name"] != name)
        chosen = ("--datasets", others) if others else ()
        rows = dynabench("board", "--task", "sentiment", "--weights", weights, *chosen)["rows"]
        return bool(rows) and rows[0]["model"] == model and rows[0]["prediction_only"] is True

    wait_until(first, 60, "the predictions to lead the board")


def test_a_reader_weighs_on_the_page(new_member: Callable[..., Any], uploaded: tuple[str, str]) -> None:
    reader = new_member()
    page = reader.open("/tasks/sentiment/board")
    page.get_by_role("heading", name="Models ranked").wait_for()
    assert page.get_by_text("sentiment-minilm").first.is_visible()
    before = page.locator("#board code").first.inner_text()
    page.locator("#weights > summary").click()
    page.get_by_label("speed", exact=True).last.fill("9")
    page.wait_for_function("before => document.querySelector('#board code').innerText !== before", arg=before)
    assert "w_throughput=9" in page.url
    page.reload()
    assert page.get_by_label("speed", exact=True).last.input_value() == "9"
    page.get_by_role("button", name="Compare").click()
    page.get_by_text("exact McNemar").wait_for()


def test_the_board_proposes_targets_for_the_next_round(owner: Dynabench, uploaded: tuple[str, str]) -> None:
    found = owner.leaderboard.target_proposals("sentiment", targets=2)
    names = [each.model for each in found.proposed]
    assert names
    served = {model.name for model in owner.gateway.model_statuses() if model.published}
    assert set(names) <= served
    ranks = [each.rank for each in found.proposed]
    assert ranks == sorted(ranks)


def test_memory_is_measured_against_the_baseline(owner: Dynabench, uploaded: tuple[str, str]) -> None:
    name, _ = uploaded
    on = {row.model: row.datasets[name].metrics for row in board(owner, name).rows if row.is_baseline}
    assert on["sentiment-cnn"]["memory"].value == 1.0
    assert 0.2 < on["sentiment-minilm"]["memory"].value < 5


@pytest.mark.timeout(900)
def test_a_new_version_is_scored_though_the_gateway_goes_half_way(
    owner: Dynabench, platform: Any, uploaded: tuple[str, str], gateway_away: Callable[[], None]
) -> None:
    name, first = uploaded
    made = made_items(list(TEXTS), LONG, "version")
    began = time.monotonic()
    dataset_id = owner.evaluations.add_dataset("sentiment", name, lines(made)).dataset_id
    assert dataset_id != first

    def states() -> list[Evaluation]:
        return list(owner.evaluations.evaluations(dataset_id=dataset_id, limit=200).items)

    def unfinished() -> list[Evaluation]:
        return [each for each in states() if each.state in ("queued", "running")]

    wait_until(lambda: any(each.shards_done for each in states()), SECONDS, "the first shard")
    gateway_away()
    assert unfinished(), "all was done before the gateway went; give it more items"
    time.sleep(5)
    assert unfinished()
    assert not [each for each in states() if each.state == "failed"]
    platform.stack.up(platform.stack.layout.replicas_of("gateway-http"))

    def has_ranked_all() -> bool:
        rows = [row for row in board(owner, name).rows if row.is_baseline]
        return all(row.rank is not None and row.datasets[name].metrics["accuracy"].n == LONG for row in rows)

    wait_until(has_ranked_all, SECONDS, "all models to be ranked on the new version")
    print(f"upload to rank, the gateway away half-way: {time.monotonic() - began:.1f} s")
    for each in states():
        assert (each.state, each.shards_done) == ("done", each.shards)
