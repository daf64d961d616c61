"""Saved weights under a name, and frozen boards, which never change."""

import hashlib
import json
from collections.abc import Callable
from uuid import UUID, uuid4

import pytest
from dynabench_common.testing import FixedClock, Issuer
from flask.testing import FlaskClient
from leaderboard.adapters.shared_tables import board_snapshot, board_view
from leaderboard.domain.shared_boards import MOST_SNAPSHOTS, MOST_VIEWS
from sqlalchemy import Engine

from services.leaderboard.tests.integration.conftest import Feed
from services.leaderboard.tests.integration.model_events import Models
from services.leaderboard.tests.integration.test_leaderboard_models import BOARD

VIEWS, SNAPSHOTS = f"{BOARD}/views", f"{BOARD}/snapshots"
ADA, BOB = UUID(int=0xADA), UUID(int=0xB0B)
WEIGHTS = {"weights": "performance:1,throughput:0,fairness:0,robustness:0"}


@pytest.fixture
def models(engine: Engine, feed: Feed) -> Models:
    """Return a task with two published models and one of Ada's that is not, on one dataset."""
    with engine.begin() as connection:
        connection.execute(board_view.delete())
        connection.execute(board_snapshot.delete())
    made = Models()
    dataset = made.dataset("set")
    events = [made.configured(), made.scored("base", None, dataset), made.scored("quick", None, dataset, 0.7)]
    feed(engine, [*events, made.scored("secret", ADA, dataset, 0.9)])
    return made


@pytest.fixture
def as_person(issuer: Issuer) -> Callable[[UUID], dict[str, str]]:
    return issuer.headers


def test_weights_are_kept_under_a_name_and_seen_by_all(
    client: FlaskClient, models: Models, as_person: Callable[[UUID], dict[str, str]]
) -> None:
    body = {"name": "  Only right answers ", **WEIGHTS, "gamma": 0.8}
    made = client.post(VIEWS, json=body, headers=as_person(ADA))
    assert made.status_code == 201
    view = made.get_json()
    assert view["name"] == "Only right answers"
    assert view["is_mine"]
    assert view["weights"]["performance"] == 1.0
    (listed,) = client.get(VIEWS).get_json()["items"]
    assert not listed["is_mine"]
    assert client.get(f"/api/leaderboard/v1/board-views/{view['view_id']}").get_json()["gamma"] == 0.8


def test_only_who_saved_weights_deletes_them(
    client: FlaskClient, models: Models, as_person: Callable[[UUID], dict[str, str]]
) -> None:
    view_id = client.post(VIEWS, json={"name": "mine"}, headers=as_person(ADA)).get_json()["view_id"]
    address = f"/api/leaderboard/v1/board-views/{view_id}"
    assert client.delete(address).status_code == 401
    assert client.delete(address, headers=as_person(BOB)).status_code == 403
    assert client.delete(address, headers=as_person(ADA)).status_code == 204
    assert client.get(address).status_code == 404
    assert client.delete(address, headers=as_person(ADA)).status_code == 404


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"name": " "}, "name"),
        ({"name": "x" * 81}, "name"),
        ({"name": "x", "weights": "performance:-1"}, "weights"),
        ({"name": "x", "weights": "beauty:1"}, "weights"),
        ({"name": "x", "gamma": 0}, "gamma"),
        ({"name": "x", "weights": ",".join(f"{name}:0" for name in ("performance", "fairness", "robustness"))
          + ",throughput:0,latency:0,memory:0"}, "weights"),
    ],
)  # fmt: skip
def test_what_can_not_be_kept_is_said(
    body: dict[str, object], field: str, client: FlaskClient, models: Models,
    as_person: Callable[[UUID], dict[str, str]],
) -> None:  # fmt: skip
    answer = client.post(VIEWS, json=body, headers=as_person(ADA))
    assert answer.status_code == 422
    assert field in answer.get_json()["field"]


def test_a_person_keeps_few_sets_each_under_its_own_name(
    client: FlaskClient, models: Models, as_person: Callable[[UUID], dict[str, str]]
) -> None:
    for number in range(MOST_VIEWS):
        assert client.post(VIEWS, json={"name": f"v{number}"}, headers=as_person(ADA)).status_code == 201
    again = client.post(VIEWS, json={"name": "v3"}, headers=as_person(ADA))
    assert (again.status_code, again.get_json()["type"]) == (409, "/problems/view-name-taken")
    more = client.post(VIEWS, json={"name": "more"}, headers=as_person(ADA))
    assert (more.status_code, more.get_json()["type"]) == (409, "/problems/too-many-views")
    assert client.post(VIEWS, json={"name": "v3"}, headers=as_person(BOB)).status_code == 201
    first = client.get(f"{VIEWS}?limit=15").get_json()
    rest = client.get(f"{VIEWS}?limit=15&cursor={first['next_cursor']}").get_json()
    names = [view["name"] for view in first["items"] + rest["items"]]
    assert names == ["v3", *(f"v{number}" for number in reversed(range(MOST_VIEWS)))]
    assert rest["next_cursor"] is None


def test_a_frozen_board_is_what_everybody_sees_and_never_changes(
    client: FlaskClient, engine: Engine, feed: Feed, models: Models,
    as_person: Callable[[UUID], dict[str, str]],
) -> None:  # fmt: skip
    made = client.post(SNAPSHOTS, json=WEIGHTS, headers=as_person(ADA))
    assert made.status_code == 201
    snapshot = made.get_json()
    assert [row["model"] for row in snapshot["board"]["rows"]] == ["base", "quick"]
    address = f"/api/leaderboard/v1/board-snapshots/{snapshot['snapshot_id']}"
    document = client.get(f"{address}/document")
    assert hashlib.sha256(document.data).hexdigest() == snapshot["sha256"]
    assert json.loads(document.data) == snapshot["board"]
    feed(engine, [models.scored("later", None, models.dataset("set"), 0.95)])
    assert len(client.get(BOARD).get_json()["rows"]) == 3
    assert client.get(address).get_json() == snapshot
    assert "immutable" in document.headers["Cache-Control"]
    listed = client.get(SNAPSHOTS).get_json()["items"]
    assert [each["sha256"] for each in listed] == [snapshot["sha256"]]


def test_the_same_board_is_frozen_once_and_not_without_end(
    client: FlaskClient, models: Models, clock: FixedClock, as_person: Callable[[UUID], dict[str, str]]
) -> None:
    first = client.post(SNAPSHOTS, json={}, headers=as_person(ADA)).get_json()
    assert client.post(SNAPSHOTS, json={}, headers=as_person(BOB)).get_json() == first
    for number in range(1, MOST_SNAPSHOTS):
        body = {"weights": f"performance:{number + 100}"}
        assert client.post(SNAPSHOTS, json=body, headers=as_person(ADA)).status_code == 201
    body = {"weights": "performance:99"}
    refused = client.post(SNAPSHOTS, json=body, headers=as_person(ADA))
    assert refused.status_code == 429
    assert int(refused.headers["Retry-After"]) > 80_000
    assert client.post(SNAPSHOTS, json={}, headers=as_person(ADA)).status_code == 201
    clock.move(86_401)
    assert client.post(SNAPSHOTS, json=body, headers=as_person(ADA)).status_code == 201


def test_strangers_freeze_nothing_and_unknown_ones_are_told(
    client: FlaskClient, models: Models, as_person: Callable[[UUID], dict[str, str]]
) -> None:
    assert client.post(SNAPSHOTS, json={}).status_code == 401
    assert client.post(VIEWS, json={"name": "x"}).status_code == 401
    elsewhere = SNAPSHOTS.replace("sentiment", "nowhere")
    assert client.post(elsewhere, json={}, headers=as_person(ADA)).status_code == 404
    assert client.get(elsewhere).status_code == 404
    assert client.get(f"/api/leaderboard/v1/board-snapshots/{uuid4()}").status_code == 404
