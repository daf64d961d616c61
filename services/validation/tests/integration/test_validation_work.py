"""The owner's queue: what is in it, why, in which order, and what filters leave."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

import pytest
from dynabench.example.v1 import example_pb2
from dynabench_common.identifiers import new_id
from sqlalchemy import Engine, event, text

from .conftest import Someone, World


@pytest.fixture
def owner(world: World) -> Someone:
    return world.person("owner:sentiment")


def voted(world: World, words: str, minute: int = 0, **fields: Any) -> UUID:
    """Make an example with these votes, resolved so many minutes after noon."""
    votes = [
        example_pb2.ImportedVote(
            voter_id=str(new_id()),
            kind="flag" if word == "flag" else "label",
            option="" if word == "flag" else word,
        )
        for word in words.split()
    ]
    created_at = datetime(2026, 1, 5, 12, minute, tzinfo=UTC)
    example_id: UUID = world.example(imported_votes=votes, created_at=created_at, **fields)
    return example_id


def queue(world: World, owner: Someone, query: str = "") -> list[dict[str, Any]]:
    answer = owner.get(f"/rounds/{world.round_id}/work{query}")
    assert answer.status_code == 200, answer.text
    items: list[dict[str, Any]] = answer.get_json()["items"]
    return items


def ids(items: list[dict[str, Any]]) -> list[UUID]:
    return [UUID(item["example_id"]) for item in items]


def believe(world: World, example_id: UUID, label: str, p: float) -> None:
    """Put in place what the statistics of votes say of an example."""
    with world.engine.begin() as connection:
        connection.execute(
            text("INSERT INTO posterior VALUES (:example_id, :round_id, :label, :p, now())"),
            {"example_id": example_id, "round_id": world.round_id, "label": label, "p": p},
        )


@contextmanager
def statements(engine: Engine) -> Iterator[list[str]]:
    """Collect what is asked of the database."""
    sent: list[str] = []

    def note(_connection: Any, _cursor: Any, statement: str, *_more: Any) -> None:
        sent.append(statement)

    event.listen(engine, "before_cursor_execute", note)
    yield sent
    event.remove(engine, "before_cursor_execute", note)


def test_what_waits_and_why(world: World, owner: Someone) -> None:
    world.begin()
    author = world.person()
    disputed = voted(world, "negative positive neutral", 1)
    flagged = voted(world, "flag flag", 2)
    appealed = voted(world, "positive positive", 3, author_id=str(author.person_id))
    doubtful = voted(world, "negative positive negative", 4)
    voted(world, "negative negative", 5)
    pending = voted(world, "positive", 6)
    author.send("POST", f"/examples/{appealed}/appeal", reason="Look again.")
    believe(world, doubtful, "negative", 0.6)

    items = queue(world, owner)
    assert {UUID(item["example_id"]): item["kinds"] for item in items} == {
        disputed: ["disputed"],
        flagged: ["flagged"],
        appealed: ["appealed"],
        doubtful: ["low_posterior"],
    }
    assert [ids(queue(world, owner, f"?kind={kind}")) for kind in ("disputed", "flagged", "appealed")] == [
        [disputed],
        [flagged],
        [appealed],
    ]
    assert queue(world, owner, "?kind=low_posterior")[0]["posterior"] == {"label": "negative", "p": 0.6}
    world.person().hold(world.round_id)
    assert owner.get(f"/rounds/{world.round_id}/work/counts").get_json() == {
        "disputed": 1,
        "flagged": 1,
        "appealed": 1,
        "question": 0,
        "low_posterior": 1,
        "pending": 1,
        "oldest_pending_at": "2026-01-05T12:06:00Z",
        "leases_out": 1,
        "pause_appeals": 0,
    }
    assert pending not in ids(items)
    assert world.counts()["leases_out"] == 1


def test_an_item_says_all_that_a_decision_needs(world: World, owner: Someone) -> None:
    world.begin()
    example_id = voted(world, "negative flag positive", 1)
    assert queue(world, owner) == [
        {
            "example_id": str(example_id),
            "context": {"prompt": "A day at the sea"},
            "input": {"text": "Lovely, if you like sand in your eyes."},
            "claimed": "negative",
            "resolution": "disputed",
            "kinds": ["disputed"],
            "votes": [{"option": option, "count": 1} for option in ("negative", "flag", "positive")],
            "posterior": None,
            "appealed_at": None,
            "oldest_at": "2026-01-05T12:01:00Z",
        }
    ]


def test_a_decision_takes_an_example_out_and_its_reversal_brings_it_back(
    world: World, owner: Someone
) -> None:
    world.begin()
    author = world.person()
    example_id = voted(world, "negative positive neutral", author_id=str(author.person_id))
    author.send("POST", f"/examples/{example_id}/appeal", reason="Look again.")
    assert queue(world, owner)[0]["kinds"] == ["disputed", "appealed"]
    path = f"/examples/{example_id}/adjudication"
    owner.send("PUT", path, kind="flag", reason="No sentiment in it.")
    assert queue(world, owner) == []
    owner.send("DELETE", path)
    assert queue(world, owner)[0]["kinds"] == ["disputed", "appealed"]
    owner.send("POST", f"/rounds/{world.round_id}/requeue", example_ids=[str(example_id)], reason="Again.")
    assert queue(world, owner) == []


def test_nothing_of_a_released_round_waits_for_a_decision(world: World, owner: Someone) -> None:
    world.begin()
    author = world.person()
    voted(world, "negative positive neutral", 1)
    voted(world, "flag flag", 2)
    appealed = voted(world, "positive positive", 3, author_id=str(author.person_id))
    author.send("POST", f"/examples/{appealed}/appeal", reason="Look again.")
    believe(world, voted(world, "negative positive negative", 4), "negative", 0.6)
    waiting = ("disputed", "flagged", "appealed", "low_posterior")
    path = f"/rounds/{world.round_id}/work/counts"
    assert [owner.get(path).get_json()[kind] for kind in waiting] == [1, 1, 1, 1]

    world.apply(world.events.round_state(world.round_id, "released", version=3))

    assert queue(world, owner) == []
    assert [owner.get(path).get_json()[kind] for kind in waiting] == [0, 0, 0, 0]
    listed = owner.get(f"/work-counts?round_id={world.round_id}").get_json()["items"]
    assert [listed[0][kind] for kind in waiting] == [0, 0, 0, 0]


def test_withdrawn_examples_need_nobody(world: World, owner: Someone) -> None:
    world.begin()
    world.apply(world.events.retracted(voted(world, "negative positive neutral")))
    assert queue(world, owner) == []
    assert owner.get(f"/rounds/{world.round_id}/work/counts").get_json()["disputed"] == 0


@pytest.mark.parametrize(
    ("query", "left"),
    [
        ("", [0, 1, 2, 3]),
        ("?claimed=negative", [0, 2, 3]),
        ("?claimed=positive", [1]),
        ("?agreed=flag", [3]),
        ("?agreed=negative", []),
        # Nobody says what the author says.
        ("?disagreement=author", [2]),
        ("?disagreement=voters", [0, 1, 2]),
        ("?disagreement=voters&claimed=negative", [0, 2]),
    ],
)
def test_filters(world: World, owner: Someone, query: str, left: list[int]) -> None:
    world.begin(
        policy={"fixed": {"votes": 3, "agree": 2}}, options=["negative", "neutral", "positive", "mixed"]
    )
    examples = [
        voted(world, "negative positive neutral", 1),
        voted(world, "negative positive neutral", 2, claimed="positive"),
        voted(world, "mixed positive neutral", 3),
        voted(world, "flag flag flag", 4),
    ]
    assert ids(queue(world, owner, query)) == [examples[number] for number in left]


@pytest.mark.long
def test_pages_hold_each_item_once_also_where_filters_leave_gaps(world: World, owner: Someone) -> None:
    """Of 300 disputes every third has the author alone against all, so a page reaches over several reads."""
    world.begin()
    examples = [
        voted(world, "negative positive neutral" if number % 3 else "positive neutral flag", number // 60)
        for number in range(300)
    ]
    path, found = f"/rounds/{world.round_id}/work?disagreement=author&limit=30", list[UUID]()
    cursor: str | None = ""
    while cursor is not None:
        page = owner.get(f"{path}&cursor={cursor}" if cursor else path).get_json()
        found += ids(page["items"])
        assert len(page["items"]) <= 30
        cursor = page["next_cursor"]
    assert sorted(found) == sorted(examples[::3])
    created = dict(zip(examples, [number // 60 for number in range(300)], strict=True))
    assert [created[example_id] for example_id in found] == sorted(created[each] for each in examples[::3])


@pytest.mark.parametrize(
    ("query", "field"),
    [
        ("?kind=odd", "kind"),
        ("?disagreement=all", "disagreement"),
        ("?cursor=bm8", "cursor"),
        ("?claimed=a%00", "claimed"),
        ("?agreed=" + "a" * 1_001, "agreed"),
        ("?limit=0", "limit"),
    ],
)
def test_unusable_queries(world: World, owner: Someone, query: str, field: str) -> None:
    world.begin()
    refused = owner.get(f"/rounds/{world.round_id}/work{query}")
    assert (refused.status_code, refused.get_json()["field"]) == (422, field)


def test_only_owners_of_the_task_and_admins_look(world: World) -> None:
    world.begin()
    for path in ("work", "work/counts"):
        statuses = {
            role: world.person(role).get(f"/rounds/{world.round_id}/{path}").status_code
            for role in ("annotator", "owner:another", "owner:sentiment", "admin")
        }
        assert statuses == {"annotator": 403, "owner:another": 403, "owner:sentiment": 200, "admin": 200}


def test_counts_of_several_rounds_are_those_of_each_in_one_statement(world: World, owner: Any) -> None:
    world.begin()
    first = world.round_id
    voted(world, "negative positive neutral", 1)
    voted(world, "flag flag", 2)
    voted(world, "positive", 3)
    believe(world, voted(world, "negative positive negative", 4), "negative", 0.6)
    world.person().hold(first)
    world.round_id = second = new_id()
    world.apply(world.events.round(second, world.task_id, 2), world.events.round_state(second, "open"))
    voted(world, "positive", 5)
    asked = f"/work-counts?round_id={second}&round_id={first}&round_id={first}&round_id={new_id()}"
    with statements(world.engine) as sent:
        answer = owner.get(asked)
    assert answer.status_code == 200, answer.text
    counts = {item.pop("round_id"): item for item in answer.get_json()["items"]}
    assert set(counts) == {str(first), str(second)}
    for round_id, found in counts.items():
        alone = owner.get(f"/rounds/{round_id}/work/counts").get_json()
        assert alone.pop("pause_appeals") == 0
        assert found == alone
    assert counts[str(first)]["disputed"] == 1
    assert counts[str(second)]["pending"] == 1
    assert [counts[str(each)]["leases_out"] for each in (first, second)] == [1, 0]
    # Whose rounds they are, and their counts.
    assert len(sent) == 2, sent


def test_counts_of_several_rounds_are_for_the_owners_of_all(world: World) -> None:
    world.begin()
    path = f"/work-counts?round_id={world.round_id}&round_id={new_id()}"
    statuses = {
        role: world.person(role).get(path).status_code
        for role in ("annotator", "owner:another", "owner:sentiment", "admin")
    }
    assert statuses == {"annotator": 403, "owner:another": 403, "owner:sentiment": 200, "admin": 200}


@pytest.mark.parametrize(
    "query", ["", "?round_id=x", "?" + "&".join(f"round_id={new_id()}" for _ in range(51))]
)
def test_counts_are_of_one_to_fifty_rounds(world: World, owner: Any, query: str) -> None:
    world.begin()
    assert owner.get(f"/work-counts{query}").status_code == 422
