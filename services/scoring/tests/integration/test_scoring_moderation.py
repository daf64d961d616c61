"""Reports about public examples, and hiding examples: who may, and what it changes."""

import io
import json
from collections.abc import Callable
from datetime import timedelta
from typing import Any
from uuid import UUID, uuid4

import pytest
from dynabench.audit.v1 import audit_pb2
from dynabench_common.testing import FixedClock, Issuer
from dynabench_common.work.retried_jobs import JobRunner
from flask.testing import FlaskClient
from scoring.adapters.tables import example_report, outbox
from scoring.domain.moderation import MOST_REPORTS
from scoring.service_layer.dependencies import WorkerDependencies
from sqlalchemy import Engine, select

from services.scoring.tests.conftest import Story
from services.scoring.tests.scoring_releases import API, Feed, Headers, NewStory, fetch, lines, released

ADDRESS = f"{API}/public-examples"
REASON = {"reason": "It insults people."}
AUTHOR = UUID(int=11)


@pytest.fixture
def example_id(engine: Engine, new_story: NewStory, feed: Feed) -> str:
    """Return the id of a public example of AUTHOR, in a round with others."""
    story = new_story()
    events = story.confirmed(AUTHOR)
    feed(engine, [*story.collected(2, 2, public_examples="at_once"), *events])
    return str(events[0].aggregate_id)


@pytest.fixture
def author(issuer: Issuer) -> Headers:
    return issuer.headers(AUTHOR, ["annotator"])


@pytest.fixture
def reader(issuer: Issuer) -> Headers:
    return issuer.headers(uuid4(), ["annotator"])


def is_public(client: FlaskClient, example_id: str) -> bool:
    items = client.get(ADDRESS, query_string={"limit": 50}).get_json()["items"]
    is_found = client.get(f"{ADDRESS}/{example_id}").status_code == 200
    assert is_found == (example_id in [item["example_id"] for item in items])
    return is_found


def entries(engine: Engine) -> list[tuple[str, str, str]]:
    """Return action, object and reason of the audit entries."""
    with engine.connect() as connection:
        rows = connection.execute(select(outbox).order_by(outbox.c.id)).all()
    told = [audit_pb2.ActionTaken.FromString(row.payload) for row in rows if row.type.endswith("ActionTaken")]
    return [(each.action, each.object_id, each.reason) for each in told]


@pytest.mark.parametrize(
    ("method", "end", "reader_may", "owners_may"),
    [
        ("POST", "/reports", 201, 201),
        ("PUT", "/hidden", 403, 200),
        ("DELETE", "/hidden", 403, 422),
        ("PUT", "/kept", 403, 200),
        ("PUT", "/shown", 403, 200),
    ],
)
def test_who_may_report_and_decide(
    client: FlaskClient,
    example_id: str,
    issuer: Issuer,
    reader: Headers,
    owner: Headers,
    method: str,
    end: str,
    reader_may: int,
    owners_may: int,
) -> None:
    address = f"{ADDRESS}/{example_id}{end}"
    others_owner = issuer.headers(uuid4(), ["annotator", "owner:nli"])
    administrator = issuer.headers(uuid4(), ["admin"])
    assert client.open(address, method=method, json=REASON).status_code == 401
    for headers in (reader, others_owner):
        assert client.open(address, method=method, json=REASON, headers=headers).status_code == reader_may
    for headers in (owner, administrator):
        assert client.open(address, method=method, json=REASON, headers=headers).status_code == owners_may


@pytest.mark.parametrize("name", ["reports", "hidden-examples"])
def test_reports_and_hidden_examples_of_a_task_are_its_owners(
    client: FlaskClient, example_id: str, issuer: Issuer, reader: Headers, owner: Headers, name: str
) -> None:
    address = f"{API}/tasks/sentiment/{name}"
    assert client.get(address).status_code == 401
    for headers in (reader, issuer.headers(uuid4(), ["annotator", "owner:nli"])):
        assert client.get(address, headers=headers).status_code == 403
    assert client.get(address, headers=owner).get_json() == {"items": [], "next_cursor": None}


def test_an_example_that_is_not_public_is_unknown_to_all_but_its_author_and_owners(
    client: FlaskClient, engine: Engine, new_story: NewStory, feed: Feed, reader: Headers, owner: Headers
) -> None:
    story = new_story()
    waiting = story.tried("negative", ["positive", ""], AUTHOR)
    feed(engine, [*story.opened(), waiting])
    for example_id in (waiting.aggregate_id, uuid4()):
        address = f"{ADDRESS}/{example_id}"
        assert client.post(f"{address}/reports", json=REASON, headers=reader).status_code == 404
        assert client.put(f"{address}/hidden", json=REASON, headers=reader).status_code == 404
    address = f"{ADDRESS}/{waiting.aggregate_id}/hidden"
    assert client.put(address, json=REASON, headers=owner).get_json()["is_hidden"]


def test_a_person_has_one_open_report_about_an_example(
    client: FlaskClient, example_id: str, reader: Headers, owner: Headers, issuer: Issuer
) -> None:
    address = f"{ADDRESS}/{example_id}/reports"
    for reason in ("It is rude.", "It names a person."):
        made = client.post(address, json={"reason": reason}, headers=reader)
        assert (made.status_code, made.get_json()["reason"]) == (201, reason)
    client.post(address, json=REASON, headers=issuer.headers(uuid4(), ["annotator"]))
    (item,) = client.get(f"{API}/tasks/sentiment/reports", headers=owner).get_json()["items"]
    assert (item["example_id"], item["reports"], item["is_public"]) == (example_id, 2, True)
    assert sorted(item["reasons"]) == ["It insults people.", "It names a person."]
    assert set(item["input"]) == {"text"}
    assert str(AUTHOR) not in json.dumps(item)


def test_a_day_allows_so_many_reports(
    client: FlaskClient,
    engine: Engine,
    new_story: NewStory,
    feed: Feed,
    reader: Headers,
    clock: FixedClock,
) -> None:
    story = new_story()
    feed(engine, story.collected(MOST_REPORTS + 1, 1, public_examples="at_once"))
    items = client.get(ADDRESS, query_string={"limit": 50}).get_json()["items"]
    addresses = [f"{ADDRESS}/{item['example_id']}/reports" for item in items]
    for address in addresses[:MOST_REPORTS]:
        assert client.post(address, json=REASON, headers=reader).status_code == 201
    refused = client.post(addresses[-1], json=REASON, headers=reader)
    assert (refused.status_code, refused.get_json()["type"]) == (429, "/problems/too-many-reports")
    assert int(refused.headers["Retry-After"]) == timedelta(days=1).total_seconds()
    assert client.post(addresses[0], json=REASON, headers=reader).status_code == 201, "it replaces a report"
    clock.move(timedelta(days=1).total_seconds())
    assert client.post(addresses[-1], json=REASON, headers=reader).status_code == 201


def test_an_owner_hides_with_a_reason_and_shows_again(
    client: FlaskClient, engine: Engine, example_id: str, reader: Headers, owner: Headers
) -> None:
    address = f"{ADDRESS}/{example_id}"
    client.post(f"{address}/reports", json=REASON, headers=reader)
    refused = client.put(f"{address}/hidden", json={}, headers=owner)
    assert (refused.status_code, refused.get_json()["field"]) == (422, "reason")
    assert is_public(client, example_id)
    for closed in (1, 0):
        answer = client.put(f"{address}/hidden", json=REASON, headers=owner).get_json()
        assert answer == {"example_id": example_id, "is_hidden": True, "reports_closed": closed}
    assert not is_public(client, example_id)
    assert client.get(f"{API}/tasks/sentiment/reports", headers=owner).get_json()["items"] == []
    refused = client.delete(f"{address}/hidden", headers=owner)
    assert (refused.status_code, refused.get_json()["field"]) == (422, "reason")
    assert not is_public(client, example_id)
    for _ in range(2):
        assert not client.put(f"{address}/shown", json=REASON, headers=owner).get_json()["is_hidden"]
    assert is_public(client, example_id)
    told = example_id, REASON["reason"]
    assert entries(engine) == [("example.hidden", *told), ("example.shown", *told)]


def test_owners_list_the_hidden_examples_and_show_one_with_a_reason(
    client: FlaskClient, engine: Engine, example_id: str, author: Headers, owner: Headers
) -> None:
    address, listed = f"{ADDRESS}/{example_id}", f"{API}/tasks/sentiment/hidden-examples"
    client.put(f"{address}/hidden", json={}, headers=author)
    assert client.get(listed, headers=owner).get_json()["items"] == []
    client.put(f"{address}/hidden", json=REASON, headers=owner)
    (item,) = client.get(listed, headers=owner).get_json()["items"]
    assert (item["example_id"], item["reason"]) == (example_id, REASON["reason"])
    assert item["input"]
    assert client.put(f"{address}/shown", json={}, headers=owner).status_code == 422
    again = {"reason": "It insults nobody."}
    assert client.put(f"{address}/shown", json=again, headers=owner).get_json()["is_hidden"]
    assert client.get(listed, headers=owner).get_json()["items"] == []
    assert entries(engine)[-1] == ("example.shown", example_id, again["reason"])
    client.delete(f"{address}/hidden", headers=author)
    assert is_public(client, example_id)


def test_owners_decide_nothing_about_their_own_examples(
    client: FlaskClient, engine: Engine, example_id: str, issuer: Issuer, owner: Headers
) -> None:
    client.put(f"{ADDRESS}/{example_id}/hidden", json=REASON, headers=owner)
    own = issuer.headers(AUTHOR, ["annotator", "owner:sentiment"])
    for end in ("kept", "shown"):
        refused = client.put(f"{ADDRESS}/{example_id}/{end}", json=REASON, headers=own)
        assert (refused.status_code, refused.get_json()["type"]) == (409, "/problems/own-example")
    assert not is_public(client, example_id)


def test_an_owner_keeps_a_reported_example_with_a_reason(
    client: FlaskClient, engine: Engine, example_id: str, reader: Headers, owner: Headers
) -> None:
    address = f"{ADDRESS}/{example_id}"
    client.post(f"{address}/reports", json=REASON, headers=reader)
    assert client.put(f"{address}/kept", json={}, headers=owner).status_code == 422
    answer = client.put(f"{address}/kept", json={"reason": "It insults nobody."}, headers=owner).get_json()
    assert answer == {"example_id": example_id, "is_hidden": False, "reports_closed": 1}
    assert is_public(client, example_id)
    assert entries(engine) == [("example.kept", example_id, "It insults nobody.")]
    with engine.connect() as connection:
        kept = connection.execute(select(example_report)).one()
    assert (kept.decision, kept.decision_reason) == ("kept", "It insults nobody.")
    again = client.post(f"{address}/reports", json=REASON, headers=reader)
    assert again.status_code == 201, "a closed report does not stand in the way of another"


def test_authors_hide_their_own_and_neither_side_undoes_the_other(
    client: FlaskClient, engine: Engine, example_id: str, author: Headers, reader: Headers, owner: Headers
) -> None:
    address, shown = f"{ADDRESS}/{example_id}/hidden", f"{ADDRESS}/{example_id}/shown"
    client.post(f"{ADDRESS}/{example_id}/reports", json=REASON, headers=reader)
    answer = client.put(address, json={}, headers=author).get_json()
    assert (answer["is_hidden"], answer["reports_closed"]) == (True, 0)
    (item,) = client.get(f"{API}/tasks/sentiment/reports", headers=owner).get_json()["items"]
    assert not item["is_public"]
    assert entries(engine) == []
    assert client.put(shown, json=REASON, headers=owner).get_json()["is_hidden"]
    client.put(address, json=REASON, headers=owner)
    assert client.delete(address, headers=author).get_json()["is_hidden"]
    assert not is_public(client, example_id)
    assert not client.put(shown, json=REASON, headers=owner).get_json()["is_hidden"]
    assert is_public(client, example_id)


def test_an_export_has_no_text_of_a_hidden_example(
    client: FlaskClient, example_id: str, new_story: NewStory, author: Headers, owner: Headers
) -> None:
    round_id = client.get(f"{ADDRESS}/{example_id}").get_json()["round_id"]
    client.put(f"{ADDRESS}/{example_id}/hidden", json={}, headers=author)
    export = client.get(f"{API}/rounds/{round_id}/export", headers=owner)
    rows = {row["id"]: row for row in map(json.loads, io.BytesIO(export.data))}
    row = rows[example_id]
    assert (row["retracted"], row["fooled"], row["label"]) == (True, True, None)
    assert not any(row["input"].values())
    assert sum(each["retracted"] for each in rows.values()) == 1
    own = client.get(f"{API}/people/me/export", headers=author).data
    assert b"Sand in" in own, "people keep their own words"


Release = Callable[..., str]


@pytest.fixture
def release(
    client: FlaskClient, builder: JobRunner[WorkerDependencies], story: Story, owner: Headers
) -> Release:
    def made(**sizes: Any) -> str:
        return released(client, builder, story, owner, **sizes)

    return made


def ids_in_files(client: FlaskClient, dataset_id: str) -> dict[str, int]:
    """Return the ids in the files of each split with the number of rows that the dataset states."""
    found = {}
    about = client.get(f"{API}/datasets/{dataset_id}").get_json()
    for split in ("train", "dev", "test"):
        rows = lines(fetch(client, dataset_id, f"data/{split}.jsonl.gz"))
        assert len(rows) == about["splits"][split]["examples"]
        found.update({row["id"]: len(rows) for row in rows})
    return found


def test_a_release_leaves_hidden_examples_out_and_its_counts_add_up(
    client: FlaskClient, story: Story, engine: Engine, owner: Headers, release: Release, feed: Feed
) -> None:
    events = [story.confirmed(AUTHOR), story.confirmed(None)]
    waiting, withdrawn = story.tried("negative", ["positive", ""], AUTHOR), story.confirmed(AUTHOR)
    feed(engine, [*(event for each in (*events, withdrawn) for event in each), waiting])
    feed(engine, [story.retracted(withdrawn[0])])
    hidden = [str(each.aggregate_id) for each in (events[0][0], events[1][0], waiting, withdrawn[0])]
    address = f"{API}/rounds/{story.round_id}/release/preview"
    before = client.get(address, headers=owner).get_json()
    for example_id in hidden:
        client.put(f"{ADDRESS}/{example_id}/hidden", json=REASON, headers=owner)
    after = client.get(address, headers=owner).get_json()
    assert (before["excluded"]["hidden"], after["excluded"]["hidden"]) == (0, 3)
    assert (before["excluded"]["retracted"], after["excluded"]["retracted"]) == (1, 1)
    assert (before["unresolved"], after["unresolved"]) == (1, 0)
    assert before["examples"] == after["examples"] == 64
    total = sum(split["examples"] for split in after["splits"].values())
    assert total == 60 == after["examples"] - 4
    dataset_id = release()
    found = ids_in_files(client, dataset_id)
    assert len(found) == 60
    assert not set(hidden) & set(found)
    client.put(f"{ADDRESS}/{hidden[0]}/shown", json=REASON, headers=owner)
    assert not is_public(client, hidden[0]), "it is in no file"


def test_a_released_example_is_hidden_everywhere_but_in_the_files(
    client: FlaskClient, owner: Headers, release: Release
) -> None:
    dataset_id = release(dev=0, test=0)
    first = client.get(f"{API}/datasets/{dataset_id}/rows").get_json()["rows"][0]["id"]
    assert is_public(client, first)
    client.put(f"{ADDRESS}/{first}/hidden", json=REASON, headers=owner)
    assert not is_public(client, first)
    shown = client.get(f"{API}/datasets/{dataset_id}/rows").get_json()["rows"]
    assert first not in [row["id"] for row in shown]
    assert first in ids_in_files(client, dataset_id)
