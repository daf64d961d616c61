"""Validated errors asked again at a release: over real HTTP, in PostgreSQL, and in files, card and counts."""

import json
import threading
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest
from dynabench_common.http.client import JsonClient
from dynabench_common.testing import service_headers, service_token
from dynabench_common.work.retried_jobs import JobRunner
from flask.testing import FlaskClient
from scoring.adapters.tables import repeated_error
from scoring.adapters.target_gateway import GatewayTargets
from scoring.service_layer import repeat_errors
from scoring.service_layer.build_release import RELEASES
from scoring.service_layer.dependencies import WorkerDependencies
from sqlalchemy import Engine, func, select

from services.scoring.tests.conftest import Story
from services.scoring.tests.scoring_releases import API, Feed, Headers, NewStory, fetch, lines, released

ROBERTA = "sha256:" + "0" * 64


class GatewayTwin(ThreadingHTTPServer):
    """Answers for one target as it once did, for some texts otherwise; another is not served."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.answers: dict[str, str] = {}
        self.flips: dict[str, int] = {}
        self.asked: Counter[str] = Counter()
        self.calls = 0
        self.status = 200
        self.failures = 0
        self.digest = ROBERTA

    def label_of(self, text: str) -> str:
        self.asked[text] += 1
        changed = self.asked[text] <= self.flips.get(text, 0)
        return "changed" if changed else self.answers[text]


class _Handler(BaseHTTPRequestHandler):
    server: GatewayTwin

    def log_message(self, *_args: Any) -> None:
        pass

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        assert self.headers["Authorization"] == service_headers("scoring")["Authorization"]
        assert self.headers["Prefer"] == "wait=30"
        twin, name = self.server, self.path.rsplit("/", 1)[-1]
        twin.calls += 1
        if name != "roberta:predict":
            return self._send(404, {"detail": "no such model"})
        if twin.failures:
            twin.failures -= 1
            return self._send(503, {"detail": "it starts"})
        if twin.status != 200:
            return self._send(twin.status, {"detail": "the twin was told to fail"})
        labels = [twin.label_of(instance["text"]) for instance in body["instances"]]
        predictions = [{"label": label, "probabilities": {label: 0.9}} for label in labels]
        return self._send(200, {"predictions": predictions, "model_digest": twin.digest})

    def _send(self, status: int, body: Mapping[str, Any]) -> None:
        data = json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)


@pytest.fixture
def twin(monkeypatch: pytest.MonkeyPatch) -> Iterator[GatewayTwin]:
    monkeypatch.setattr(repeat_errors, "USUAL_PAUSE_SECONDS", 0.01)
    found = GatewayTwin()
    threading.Thread(target=found.serve_forever, args=(0.02,), daemon=True).start()
    yield found
    found.shutdown()
    found.server_close()


Build = Callable[[], JobRunner[WorkerDependencies]]


@pytest.fixture
def build(worker: WorkerDependencies, twin: GatewayTwin) -> Build:
    client = JsonClient(f"http://127.0.0.1:{twin.server_port}", 5.0, service_token("scoring"))
    return lambda: JobRunner(RELEASES, replace(worker, targets=GatewayTargets(client)))


@pytest.fixture
def story(engine: Engine, new_story: NewStory, feed: Feed, twin: GatewayTwin) -> Story:
    """A closed round of 40 validated errors of roberta, of which the copy repeats every wrong answer."""
    made = new_story()
    events = made.finished(8, 5)
    feed(engine, events)
    for event in events:
        if event.type.endswith("ExampleCreated"):
            message: Any = event.message
            twin.answers[message.input["text"]] = message.answers[0].value
    return made


def rows_of(client: FlaskClient, dataset_id: str) -> list[dict[str, Any]]:
    splits = client.get(f"{API}/datasets/{dataset_id}").get_json()["splits"]
    return [row for split in splits for row in lines(fetch(client, dataset_id, f"data/{split}.jsonl.gz"))]


def stability(client: FlaskClient, dataset_id: str) -> dict[str, int]:
    found: dict[str, int] = client.get(f"{API}/datasets/{dataset_id}").get_json()["counts"]["stability"]
    return found


def test_what_repeats_is_stable_and_what_does_not_is_marked(
    client: FlaskClient, build: Build, story: Story, owner: Headers, twin: GatewayTwin
) -> None:
    never, once = list(twin.answers)[:2]
    twin.flips = {never: 3, once: 2}
    dataset_id = released(client, build(), story, owner, dev=5, test=5)
    assert set(twin.asked.values()) == {3}
    rows = {row["input"]["text"]: row for row in rows_of(client, dataset_id)}
    assert (rows[never]["target_stable"], rows[never]["target_repeated"]) == (
        {"roberta": False, "deberta": None},
        {"roberta": 0, "deberta": None},
    )
    assert (rows[once]["target_stable"], rows[once]["target_repeated"]) == (
        {"roberta": False, "deberta": None},
        {"roberta": 1, "deberta": None},
    )
    assert rows[once]["stability"] == [{"name": "roberta", "stable": False, "repeated": 1}]
    others = [row for text, row in rows.items() if text not in (never, once)]
    assert all(row["target_stable"] == {"roberta": True, "deberta": None} for row in others)
    assert stability(client, dataset_id) == {"stable": 38, "not_stable": 2, "not_tried": 0}
    card = client.get(f"{API}/datasets/{dataset_id}/card").text
    assert "## Validated errors asked again" in card
    assert "| another answer at least once: not stable | 2 |" in card


@pytest.mark.parametrize("trouble", ["another model", "an outage", "another status"])
def test_what_cant_be_tried_is_null_and_holds_nothing_up(
    client: FlaskClient, build: Build, story: Story, owner: Headers, twin: GatewayTwin, trouble: str
) -> None:
    if trouble == "another model":
        twin.digest = "sha256:another"
    else:
        twin.status = {"an outage": 503, "another status": 422}[trouble]
    dataset_id = released(client, build(), story, owner, dev=5, test=5)
    assert stability(client, dataset_id) == {"stable": 0, "not_stable": 0, "not_tried": 40}
    not_tried = [{"name": "roberta", "stable": None, "repeated": None}]
    assert all(row["stability"] == not_tried for row in rows_of(client, dataset_id))
    assert twin.calls <= {"another model": 1, "an outage": 6, "another status": 43}[trouble]


def test_errors_beyond_those_that_are_held_are_not_tried(
    client: FlaskClient,
    build: Build,
    story: Story,
    owner: Headers,
    twin: GatewayTwin,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(repeat_errors, "MOST_ERRORS", 25)
    dataset_id = released(client, build(), story, owner, dev=5, test=5)
    assert len(twin.asked) == 25
    assert stability(client, dataset_id) == {"stable": 25, "not_stable": 0, "not_tried": 15}


def test_a_target_that_only_starts_is_waited_for(
    client: FlaskClient, build: Build, story: Story, owner: Headers, twin: GatewayTwin
) -> None:
    twin.failures = 2
    dataset_id = released(client, build(), story, owner, dev=5, test=5)
    assert stability(client, dataset_id)["stable"] == 40


def test_a_worker_that_takes_over_asks_only_about_the_rest(
    client: FlaskClient,
    build: Build,
    story: Story,
    owner: Headers,
    twin: GatewayTwin,
    worker: WorkerDependencies,
) -> None:
    """The first worker dies after the results of one call were kept."""
    asked = client.post(
        f"{API}/rounds/{story.round_id}/releases", json={"dev": 5, "test": 5}, headers=owner
    ).get_json()
    first = build()
    keep = repeat_errors._keep

    def dies(*given: Any) -> None:
        keep(*given)
        raise SystemExit

    held = first.claim()
    assert held is not None
    with pytest.MonkeyPatch.context() as patch, pytest.raises(SystemExit):
        patch.setattr(repeat_errors, "_keep", dies)
        first.attempt(held)
    with worker.engine.connect() as connection:
        kept = connection.execute(select(func.count()).select_from(repeated_error)).scalar_one()
    assert (kept, twin.asked.total()) == (repeat_errors.AT_ONCE, 3 * repeat_errors.AT_ONCE)
    second = build()
    with worker.unit_of_work() as uow:
        uow.releases.give_back(held)
        uow.commit()
    assert second.turn()
    assert set(twin.asked.values()) == {3}
    done = client.get(f"{API}/releases/{asked['release_id']}", headers=owner).get_json()
    assert stability(client, done["dataset_id"])["stable"] == 40


def test_without_a_gateway_nothing_is_tried(
    client: FlaskClient, builder: JobRunner[WorkerDependencies], story: Story, owner: Headers
) -> None:
    dataset_id = released(client, builder, story, owner, dev=5, test=5)
    assert stability(client, dataset_id) == {"stable": 0, "not_stable": 0, "not_tried": 40}
