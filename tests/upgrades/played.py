"""People's actions on the former version, to create data for the upgrade."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from dynabench_client import Dynabench, ProblemError
from dynabench_common.testing import wait_until

from tests.made_items import items, lines
from tests.scenarios import PRAISE, TARGET, let_votes_count_at_once, vote, write
from tests.upgrades.answers import Reader
from tests.upgrades.former import FormerPlatform

TASKS = ["sentiment", "nli"]
"""The first one's round is released, the second one's stays open."""
LABELS = ("positive", "negative", "neutral")
ITEMS = 40
WAITING = 4
"""Foolings of the round in progress that nobody has voted on when the former version stops."""


@dataclass
class Played:
    """The rounds, and the examples that wait in one of them."""

    rounds: list[str]
    round_in_progress: str
    waiting: list[str] = field(default_factory=list)
    has_dataset: bool = False


class People:
    """The demo's people, who sign in with the passwords that the former version made for them."""

    def __init__(self, url: str, home: Path) -> None:
        self.url = url
        people = json.loads((home / "demo-sign-ins.json").read_text(encoding="utf-8"))
        self._passwords = {person["user_name"]: person["password"] for person in people}

    def client(self, user_name: str, directly: Mapping[str, str] | None = None) -> Dynabench:
        """Return a client signed in with the password; `directly` has services that are not called through the edge."""
        password = self._passwords[user_name]
        return Dynabench(self.url, urls=directly, user_name=user_name, password=password)

    def access_token(self, user_name: str) -> str:
        """Sign in; return the access token."""
        return Dynabench(self.url).accounts.sign_in(user_name, self._passwords[user_name]).access_token


def play(former: FormerPlatform, people: People) -> Played:
    """Play a round of each task, release one, leave one in progress, and upload a set of items."""
    owner = people.client("olga")
    let_votes_count_at_once(owner, TASKS)
    former.run("scripts/demo.py", *(part for task in TASKS for part in ("--task", task)))
    rounds = [owner.annotation.rounds(task).items[0].round_id for task in TASKS]
    has_dataset = _upload(owner)
    _release(owner, rounds[0])
    made = owner.annotation.create_round(TASKS[0], [TARGET])
    owner.annotation.add_contexts(
        made.round_id, [{"fields": {"prompt": "We ate by the sea."}, "tags": ["sea"]}]
    )
    owner.annotation.set_round_state(made.round_id, "open")
    author = people.client("ada")
    waiting = [
        write(author, made.round_id, PRAISE.format(f"dish {number}"), "negative").example_id
        for number in range(WAITING)
    ]
    board = Reader(people.url, people.access_token("olga"))
    wait_until(lambda: counted(board, made.round_id) == (WAITING, 0), what="the board to count the tries")
    vote(people.client("ben"), made.round_id, dict.fromkeys(waiting, "negative"))
    wait_until(lambda: counted(board, made.round_id) == (WAITING, 1), what="the board to count the vote")
    return Played([*rounds, made.round_id], made.round_id, waiting, has_dataset)


def counted(board: Reader, round_id: str) -> tuple[int, int]:
    """Return how many tries and votes the board counts, read as any version tells it."""
    found = board.read("leaderboard", f"/rounds/{round_id}") or {}
    return found.get("tries", 0), found.get("votes", 0)


def _release(owner: Dynabench, round_id: str) -> None:
    owner.annotation.set_round_state(round_id, "closed")

    def can_be_released() -> bool:
        try:
            return owner.datasets.preview_release(round_id, accept_unresolved=True).allowed
        except ProblemError:
            return False

    wait_until(can_be_released, what="scoring to hear that the round is closed")
    begun = owner.datasets.release(round_id, accept_unresolved=True)
    done = wait_until(
        lambda: (found := owner.datasets.release_state(begun.release_id)).is_finished and found,
        what="the release to be done",
    )
    assert done.state == "done", done.error
    wait_until(lambda: owner.annotation.round(round_id).state == "released", what="annotation to hear of it")


def _upload(owner: Dynabench) -> bool:
    """Upload items that models are scored on; False if the version lacks the feature."""
    try:
        owner.evaluations.add_dataset(TASKS[0], "taken-along", lines(items(LABELS, ITEMS, "kept")))
    except ProblemError as err:
        assert err.status in (404, 405), err
        return False
    return True
