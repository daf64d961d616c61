"""A round that reaches its goal: reported once, by the leaderboard's figure, and only if it was seen below before."""

import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

import pytest
from accounts.notifications.adapters.goal_watch import GoalWatch, LeaderboardFigures
from dynabench_common.http.client import UpstreamError
from flask import Flask, jsonify
from werkzeug.serving import make_server

from .conftest import Api
from .notice_story import Story, notices_of, of


@dataclass
class Leaderboard:
    """Says how many validated errors each round has, over HTTP."""

    url: str = ""
    answer: dict[str, Any] | None = None
    asked: list[UUID] = field(default_factory=list)

    def app(self) -> Flask:
        app = Flask("leaderboard")

        @app.get("/api/leaderboard/v1/rounds/<uuid:round_id>")
        def board(round_id: UUID) -> Any:
            self.asked.append(round_id)
            return ("", 503) if self.answer is None else jsonify(self.answer)

        return app


@pytest.fixture
def leaderboard() -> Iterator[Leaderboard]:
    found = Leaderboard()
    server = make_server("127.0.0.1", 0, found.app(), threaded=True)
    found.url = f"http://127.0.0.1:{server.server_port}"
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    yield found
    server.shutdown()
    thread.join(timeout=5)
    server.server_close()


@pytest.fixture
def watch(story: Story, leaderboard: Leaderboard) -> GoalWatch:
    return GoalWatch(story.engine, LeaderboardFigures(leaderboard.url), story.clock)


def round_with_goal(story: Story, *authors: Api) -> UUID:
    """Open a round that is to bring ten validated errors, in which these write."""
    round_id = story.open_round()
    story.tell(story.task(goal=10), *(story.written(round_id, of(each)) for each in authors))
    return round_id


def test_a_goal_is_told_once_to_owners_and_to_who_took_part(
    api: Api, story: Story, administrator: Api, watch: GoalWatch, leaderboard: Leaderboard
) -> None:
    ada, eve, olga = (api.new_person(name) for name in ("ada", "eve", "olga"))
    administrator.call("PUT", f"/people/{olga.person_id}/roles", {"roles": ["owner:sentiment"]})
    round_with_goal(story, ada)
    leaderboard.answer = {"validated_errors": 9}
    watch.look()
    assert (notices_of(ada), notices_of(olga)) == ([], [])
    leaderboard.answer = {"validated_errors": 10}
    watch.look()
    watch.look()
    assert notices_of(ada) == notices_of(olga) == [("goal_reached", {"goal": 10})]
    assert notices_of(eve) == []
    assert len(leaderboard.asked) == 2


def test_a_goal_that_was_reached_before_anybody_looked_is_no_news(
    api: Api, story: Story, watch: GoalWatch, leaderboard: Leaderboard
) -> None:
    ada = api.new_person("ada")
    round_with_goal(story, ada)
    leaderboard.answer = {"validated_errors": 12}
    watch.look()
    assert notices_of(ada) == []


@pytest.mark.parametrize("answer", [None, {}, {"validated_errors": None}])
def test_a_figure_that_cannot_be_read_is_asked_for_again(
    answer: dict[str, Any] | None, api: Api, story: Story, watch: GoalWatch, leaderboard: Leaderboard
) -> None:
    ada = api.new_person("ada")
    round_id = round_with_goal(story, ada)
    leaderboard.answer = {"validated_errors": 3}
    watch.look()
    leaderboard.answer = answer
    with pytest.raises(UpstreamError):
        LeaderboardFigures(leaderboard.url).validated_errors(round_id)
    watch.look()
    assert notices_of(ada) == []
    leaderboard.answer = {"validated_errors": 11}
    watch.look()
    assert notices_of(ada) == [("goal_reached", {"goal": 10})]


def test_only_open_rounds_with_a_goal_are_asked_for(
    api: Api, story: Story, watch: GoalWatch, leaderboard: Leaderboard
) -> None:
    round_id = story.open_round()
    watch.look()
    assert leaderboard.asked == []
    story.tell(story.task(goal=10))
    watch.look()
    assert leaderboard.asked == [round_id]
    story.tell(story.moved(round_id, "released", None))
    watch.look()
    assert leaderboard.asked == [round_id]
