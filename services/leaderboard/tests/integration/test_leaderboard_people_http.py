"""Boards of people and badges as readers get them."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any
from uuid import UUID

import pytest
from dynabench.example.v1.example_pb2 import ExampleCreated
from dynabench.validation.v1 import validation_pb2
from dynabench_common.events.cloud_events import Event
from dynabench_common.testing import FixedClock, Issuer
from flask.testing import FlaskClient
from sqlalchemy import Engine, text

from conftest import analyse
from services.leaderboard.tests.conftest import Story
from services.leaderboard.tests.integration.model_events import Models

NewStory = Callable[..., Story]
Feed = Callable[..., None]
BASE = "/api/leaderboard/v1"
CORRECT, INCORRECT = validation_pb2.RESOLUTION_CORRECT, validation_pb2.RESOLUTION_INCORRECT


def work(story: Story, author_id: UUID, errors: int, tries: int) -> list[Event]:
    """Return so many tries of a person, the first of which are validated errors."""
    fooled = [story.tried("negative", ["positive", "negative"], author_id) for _ in range(errors)]
    held = [story.tried("negative", ["negative", "negative"], author_id) for _ in range(tries - errors)]
    return [*fooled, *held, *(story.resolved(tried, CORRECT, "negative") for tried in fooled)]


def read(client: FlaskClient, path: str, headers: dict[str, str] | None = None) -> dict[str, Any]:
    response = client.get(f"{BASE}{path}", headers=headers)
    assert response.status_code == 200, response.text
    body: dict[str, Any] = response.get_json()
    return body


def places(rows: list[dict[str, Any]]) -> list[tuple[int | None, int, int]]:
    return [(row["rank"], row["validated_errors"], row["tries"]) for row in rows]


@pytest.mark.parametrize("of", ["rounds", "tasks"])
def test_a_board_ranks_pages_and_shows_who_asks(
    client: FlaskClient, engine: Engine, new_story: NewStory, feed: Feed, issuer: Issuer, of: str
) -> None:
    story = new_story()
    wanted = [(1, 9), (3, 9), (3, 9), (0, 2), (3, 4), (0, 7)]
    people = [story.new_id() for _ in wanted]
    done = [
        event for person, (errors, tries) in zip(people, wanted, strict=True)
        for event in work(story, person, errors, tries)
    ]  # fmt: skip
    feed(engine, [*story.opened(), *done])
    address = f"/rounds/{story.round_id}/people" if of == "rounds" else "/tasks/sentiment/people"
    whole = read(client, address)
    assert places(whole["items"]) == [(1, 3, 4), (2, 3, 9), (2, 3, 9), (4, 1, 9), (5, 0, 2), (5, 0, 7)]
    assert whole["people"] == 6
    assert whole["mine"] is None
    assert whole["items"][0]["rate"]["value"] == 0.75
    assert whole["items"][0]["rate"]["n"] == 4
    paged: list[dict[str, Any]] = []
    cursor: str | None = ""
    while cursor is not None:
        page = read(client, f"{address}?limit=1&cursor={cursor}" if cursor else f"{address}?limit=1")
        paged, cursor = [*paged, *page["items"]], page["next_cursor"]
    assert paged == whole["items"]
    headers = issuer.headers(people[5])
    mine = read(client, f"{address}?limit=1", headers)["mine"]
    assert places([mine]) == [(5, 0, 7)]
    stranger = read(client, f"{address}?limit=1", issuer.headers(story.new_id()))["mine"]
    assert places([stranger]) == [(None, 0, 0)]


def test_a_board_has_a_tag_of_its_own_for_each_reader(
    client: FlaskClient, engine: Engine, new_story: NewStory, feed: Feed, issuer: Issuer
) -> None:
    story = new_story()
    ada = story.new_id()
    feed(engine, [*story.opened(), *work(story, ada, 1, 2)])
    address = f"{BASE}/tasks/sentiment/people"
    tag = {"If-None-Match": client.get(address).headers["ETag"]}
    assert client.get(address, headers=tag).status_code == 304
    assert client.get(address, headers={**tag, **issuer.headers(ada)}).status_code == 200
    feed(engine, work(story, ada, 0, 1))
    assert client.get(address, headers=tag).status_code == 200


def test_what_counts_moves_with_retraction_and_adjudication(
    client: FlaskClient, engine: Engine, new_story: NewStory, feed: Feed
) -> None:
    story = new_story()
    ada = story.new_id()
    feed(engine, [*story.opened(), *(events := work(story, ada, 2, 3))])
    feed(engine, [story.retracted(events[0]), story.resolved(events[1], INCORRECT, "positive", 4)])
    row = read(client, "/tasks/sentiment/people")["items"][0]
    assert (row["validated_errors"], row["tries"], row["decided"], row["retracted"]) == (0, 3, 3, 1)
    assert read(client, f"/people/{ada}/badges")["items"][0]["name"] == "first_example"


@pytest.mark.parametrize(("field", "value"), [("source_id", "dynasent-1"), ("cohort", "demonstration")])
def test_imported_and_demonstrated_work_counts_for_no_person(
    client: FlaskClient, engine: Engine, new_story: NewStory, feed: Feed, field: str, value: str
) -> None:
    story = new_story()
    ada = story.new_id()
    events = work(story, ada, 1, 3)
    for event in events:
        if isinstance(event.message, ExampleCreated):
            setattr(event.message, field, value)
    feed(engine, [*story.opened(), *events])
    for address in (
        f"/rounds/{story.round_id}/people",
        "/tasks/sentiment/people",
        "/people/ranks?period=all",
    ):
        found = read(client, address)
        assert (found["people"], found["items"]) == (0, []), address
    assert read(client, f"/people/{ada}/badges")["items"] == []
    assert read(client, f"/rounds/{story.round_id}")["tries"] == 3


@pytest.mark.parametrize(
    ("address", "status", "slug"),
    [
        ("/tasks/nothing/people", 404, "task-not-found"),
        (f"/rounds/{UUID(int=9)}/people", 404, "round-not-found"),
        ("/tasks/sentiment/people?cursor=WyJ4Il0", 422, "cursor-invalid"),
        ("/people/ranks?task=%00", 422, "input-invalid"),
    ],
)
def test_refusals(
    client: FlaskClient, engine: Engine, new_story: NewStory, feed: Feed, address: str, status: int, slug: str
) -> None:
    feed(engine, new_story().opened())
    response = client.get(f"{BASE}{address}")
    assert (response.status_code, response.get_json()["type"].rpartition("/")[2]) == (status, slug)


def test_badges_by_events(
    client: FlaskClient, engine: Engine, new_story: NewStory, feed: Feed, issuer: Issuer
) -> None:
    """Votes, models and weeks; others see neither the example nor a model that was published unnamed."""
    story = new_story()
    ada, bob = story.new_id(), story.new_id()
    events = work(story, ada, 5, 5)
    vote = story.voted(story.tried("negative", ["negative"], bob), "negative", 1)
    vote.message.voter_id = str(ada)  # type: ignore[attr-defined]
    feed(engine, [*story.opened(), *events, vote, *work(story, bob, 1, 1)])
    names = {badge["name"] for badge in read(client, f"/people/{ada}/badges")["items"]}
    assert names == {"first_example", "first_vote", "first_validated_fooling", "fooling_streak_5"}
    story.now += timedelta(days=8)
    feed(engine, work(story, bob, 0, 1))
    models = Models()
    feed(engine, [*models.published("quiet", ada, anonymous=True)])
    seen = {badge["name"]: badge for badge in read(client, f"/people/{ada}/badges")["items"]}
    assert set(seen) == {*names, "weekly_winner"}
    assert seen["weekly_winner"]["week"] == "2026-W10"
    assert "example_id" not in seen["first_example"]
    own = read(client, "/people/me/badges", issuer.headers(ada))
    by_name = {badge["name"]: badge for badge in own["items"]}
    assert set(by_name) == {*seen, "model_builder"}
    assert by_name["fooling_streak_5"]["example_id"] == str(events[4].aggregate_id)
    assert by_name["fooling_streak_5"]["task_slug"] == "sentiment"
    assert {"name": "contributor_bronze", "task_slug": "sentiment", "task_title": "Sentiment",
            "reached": 5, "needed": 50} in own["next"]  # fmt: skip
    of_bob = {badge["name"] for badge in read(client, f"/people/{bob}/badges")["items"]}
    assert of_bob == {"first_example", "first_validated_fooling"}
    assert client.get(f"{BASE}/people/me/badges").status_code == 401


def test_a_week_counts_tries_since_monday_and_ranks_by_validated_errors(
    client: FlaskClient, engine: Engine, new_story: NewStory, feed: Feed, issuer: Issuer, clock: FixedClock
) -> None:
    story = new_story()
    ada, bob, cyd = (story.new_id() for _ in range(3))
    before = [*work(story, ada, 4, 4), *work(story, cyd, 1, 1)]
    story.now += timedelta(days=7)
    feed(engine, [*story.opened(), *before, *work(story, ada, 1, 3), *work(story, bob, 2, 2)])
    clock.move((story.now - clock.now()).total_seconds())

    def week_of(person: UUID) -> dict[str, Any]:
        return read(client, "/people/me/week", issuer.headers(person))

    monday = story.now.isocalendar()
    assert week_of(ada) == {
        "week": f"{monday.year}-W{monday.week:02}",
        "tries": 3,
        "fooled": 1,
        "validated_errors": 1,
        "in_a_row": 0,
        "rank": 2,
        "people": 2,
    }
    of_bob, of_cyd = week_of(bob), week_of(cyd)
    assert (of_bob["rank"], of_bob["in_a_row"]) == (1, 2)
    assert (of_cyd["tries"], of_cyd["rank"], of_cyd["in_a_row"]) == (0, None, 1)
    assert client.get(f"{BASE}/people/me/week").status_code == 401


def test_people_are_ranked_by_week_and_for_all_time_in_a_task_and_in_all(
    client: FlaskClient, engine: Engine, new_story: NewStory, feed: Feed, issuer: Issuer, clock: FixedClock
) -> None:
    story = new_story()
    ada, bob, cyd = (story.new_id() for _ in range(3))
    before = [*work(story, ada, 3, 3), *work(story, bob, 1, 9)]
    story.now += timedelta(days=7)
    feed(engine, [*story.opened(), *before, *work(story, bob, 1, 1), *work(story, cyd, 1, 2)])
    clock.move((story.now - clock.now()).total_seconds())

    def ranks(query: str, headers: dict[str, str] | None = None) -> dict[str, Any]:
        return read(client, f"/people/ranks{query}", headers)

    def rows(found: dict[str, Any]) -> list[tuple[int, int, str]]:
        return [(each["rank"], each["validated_errors"], each["person_id"]) for each in found["items"]]

    for query in ("", "?task=sentiment"):
        found = ranks(query, issuer.headers(cyd))
        assert rows(found) == [(1, 3, str(ada)), (2, 2, str(bob)), (3, 1, str(cyd))]
        assert (found["week"], found["people"], found["mine"]["rank"]) == (None, 3, 3)
    found = ranks("?period=week", issuer.headers(ada))
    assert {(rank, errors) for rank, errors, _person in rows(found)} == {(1, 1)}
    assert (found["people"], found["mine"]) == (2, None)
    assert client.get(f"{BASE}/people/ranks?task=nothing").status_code == 404
    assert client.get(f"{BASE}/people/ranks?period=year").status_code == 422
    weeks = read(client, f"/people/{bob}/weeks")["items"]
    assert [each["validated_errors"] for each in weeks] == [1, 1]
    assert [each["week"] for each in weeks] == sorted((each["week"] for each in weeks), reverse=True)
    assert read(client, f"/people/{UUID(int=5)}/weeks")["items"] == []


def test_the_state_of_the_art_on_a_round(
    client: FlaskClient, engine: Engine, new_story: NewStory, feed: Feed
) -> None:
    models = Models()
    ada = models.story.new_id()
    round_1, static = models.dataset("sentiment-round-1", round_number=1), models.dataset("hatecheck")
    feed(
        engine,
        [
            models.configured(),
            models.scored("baseline", None, round_1, 0.5),
            models.scored("baseline", None, static, 0.5),
            *models.published("learned", ada),
            models.scored("learned", ada, static, 0.9),
        ],
    )
    names = [badge["name"] for badge in read(client, f"/people/{ada}/badges")["items"]]
    assert names == ["model_builder"]
    feed(engine, [models.scored("learned", ada, round_1, 0.9)])
    led = read(client, f"/people/{ada}/badges")["items"]
    assert [badge["round_id"] for badge in led if badge["name"] == "state_of_the_art"] == [str(UUID(int=1))]


def test_a_page_far_down_is_read_by_index(
    client: FlaskClient, engine: Engine, new_story: NewStory, feed: Feed
) -> None:
    """20,000 people: neither the page nor the row of who asks reads the table from end to end."""
    story = new_story()
    feed(engine, story.opened())
    with engine.begin() as connection:
        connection.execute(
            text(
                "INSERT INTO person_tally (scope_id, person_id, tries, decided, fooled, retracted, errors) "
                "SELECT scope, gen_random_uuid(), n % 97 + 9, n % 97 + 9, n % 7, 0, n % 5 "
                "FROM generate_series(1, 20000) n, unnest(ARRAY[:round_id, :task_id]::uuid[]) scope"
            ),
            {"round_id": str(story.round_id), "task_id": str(story.task_id)},
        )
    analyse(engine, "person_tally")
    with engine.connect() as connection:
        plan = "\n".join(
            connection.execute(
                text(
                    "EXPLAIN SELECT * FROM person_tally WHERE scope_id = :scope AND errors <= 2 "
                    "AND (errors < 2 OR (decided, person_id) > (50, :scope)) "
                    "ORDER BY errors DESC, decided, person_id LIMIT 51"
                ),
                {"scope": story.round_id},
            ).scalars()
        )
    assert "ix_person_tally_board" in plan, plan
    assert "Sort" not in plan, plan
    first = read(client, "/tasks/sentiment/people?limit=200")
    assert (first["people"], len(first["items"])) == (20_000, 200)
    assert read(client, f"/tasks/sentiment/people?cursor={first['next_cursor']}")["items"]
