"""The first start uploads each shipped task's challenge set once."""

import sys
from collections.abc import Iterator
from urllib.parse import parse_qsl

import pytest
from dynabench_client import Dynabench, ProblemError
from dynabench_local.layout import checkout

from services.client.tests.stub_platform import Seen, StubPlatform, Told, problem

sys.path.insert(0, str(checkout() / "scripts"))
import seed

FOLDER = checkout() / "services" / "evaluation" / "challenge_sets"
LIST = "/scoring/v1/evaluation-datasets"
UPLOAD = "/scoring/v1/tasks/qa/evaluation-datasets"
OTHER = {"name": "qa-round-1"}


@pytest.fixture
def stub() -> Iterator[StubPlatform]:
    running = StubPlatform()
    running.tell(
        "POST", "/accounts/v1/tokens/exchange", {"access_token": "a", "expires_in": 900, "person": {}}
    )
    running.tell("GET", "/annotation/v1/tasks/qa", {"slug": "qa", "title": "Question answering"})
    running.tell("GET", LIST, {"items": [OTHER], "next_cursor": None})
    yield running
    running.stop()


def ensure(stub: StubPlatform, patience_seconds: float = 5) -> None:
    seed.ensure_challenge_set(Dynabench(stub.url, token="dbt_x"), "qa", FOLDER, patience_seconds)


def test_the_items_are_uploaded_once_open_to_everybody_and_under_their_licence(stub: StubPlatform) -> None:
    stored: list[dict[str, str]] = []

    def listed(_: Seen) -> Told:
        return Told({"items": [*stored, OTHER], "next_cursor": None})

    def upload(request: Seen) -> Told:
        stored.append(dict(parse_qsl(request.query)))
        return Told({"name": "qa-challenge"}, 201)

    stub.tell("GET", LIST, listed)
    stub.tell("POST", UPLOAD, upload)
    ensure(stub)
    ensure(stub)
    [request] = stub.seen("POST", UPLOAD)
    assert request.data == (FOLDER / "qa.jsonl").read_bytes()
    assert stored == [
        {
            "name": "qa-challenge",
            "title": "Challenge set: Question answering",
            "access": "open",
            "licence": "Apache-2.0",
        }
    ]


def test_a_newer_version_by_an_owner_is_left_alone_on_whatever_page_of_the_list(stub: StubPlatform) -> None:
    newer = {"name": "qa-challenge", "version": 2, "licence": "CC0-1.0"}
    stub.tell("GET", LIST, {"items": [OTHER], "next_cursor": "more"}, {"items": [newer], "next_cursor": None})
    ensure(stub)
    assert len(stub.seen("GET", LIST)) == 2
    assert stub.seen("POST", UPLOAD) == []


def test_the_upload_waits_until_scoring_knows_the_task(stub: StubPlatform) -> None:
    stub.tell("POST", UPLOAD, problem(404, "round-not-found"), Told({"name": "qa-challenge"}, 201))
    ensure(stub)
    assert len(stub.seen("POST", UPLOAD)) == 2


@pytest.mark.parametrize(
    ("status", "slug"),
    [(422, "items-unusable"), (409, "dataset-name-taken"), (404, "round-not-found")],
)
def test_a_refusal_does_not_stop_the_start(
    stub: StubPlatform, capsys: pytest.CaptureFixture[str], status: int, slug: str
) -> None:
    stub.tell("POST", UPLOAD, problem(status, slug))
    ensure(stub, patience_seconds=0)
    assert f"qa: its challenge set is left out: It is {slug}." in capsys.readouterr().err


def test_a_fault_of_the_platform_is_not_hidden(stub: StubPlatform) -> None:
    stub.tell("POST", UPLOAD, problem(500, "internal-error"))
    with pytest.raises(ProblemError):
        ensure(stub)


def test_every_task_that_is_set_up_has_a_challenge_set() -> None:
    assert {path.stem for path in FOLDER.glob("*.jsonl")} == set(seed.TARGETS)
