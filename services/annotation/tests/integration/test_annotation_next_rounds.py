"""Tasks that want it get their next round by itself: once, when the board is complete, and only drafted."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

import pytest
from annotation.adapters import tables
from annotation.adapters.board import HttpBoard
from annotation.domain.errors import BoardUnavailable
from annotation.domain.target import Proposal
from annotation.service_layer.next_rounds import draft_next_rounds
from dynabench_common.http.client import JsonClient

from .conftest import Platform

MakePlatform = Callable[..., Platform]
WHOLE = Proposal(("beta", "alpha"), frozenset({1}), is_complete=True)
BY_ITSELF = {"next_round": {"drafted": "by_itself"}}


@dataclass
class ScriptedBoard:
    """A board that proposes what a test says."""

    proposal: Proposal | None = WHOLE
    asked: list[tuple[str, int]] = field(default_factory=list)

    def propose(self, slug: str, targets: int) -> Proposal:
        self.asked.append((slug, targets))
        if self.proposal is None:
            raise BoardUnavailable
        return self.proposal


@pytest.fixture
def released(make_platform: MakePlatform) -> Callable[..., Platform]:
    def make(**changes: Any) -> Platform:
        platform = make_platform(**changes)
        with platform.dependencies.engine.begin() as connection:
            connection.execute(tables.round_.update().values(state="closed"))
        round_id = platform.draft(("alpha", "beta"))
        set_state(platform, round_id, "released")
        return platform

    return make


def set_state(platform: Platform, round_id: str, state: str) -> None:
    with platform.dependencies.engine.begin() as connection:
        own = tables.round_.c.round_id == round_id
        connection.execute(tables.round_.update().where(own).values(state=state))


def step(platform: Platform, board: Any) -> int:
    return draft_next_rounds(board, platform.dependencies)


def rounds(platform: Platform) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = platform.owner("GET", f"/tasks/{platform.slug}/rounds")["items"]
    return sorted(found, key=lambda each: each["number"])


def test_the_next_round_is_drafted_once(released: Callable[..., Platform]) -> None:
    platform, board = released(**BY_ITSELF), ScriptedBoard()
    assert step(platform, board) == 1
    assert board.asked == [(platform.slug, 2)]
    assert step(platform, board) == 0
    _, drafted = rounds(platform)
    assert (drafted["number"], drafted["state"], drafted["targets"]) == (2, "draft", ["beta", "alpha"])
    assert drafted["title"] == "Against the models that the board proposes"


def test_a_task_may_want_another_number_of_targets(released: Callable[..., Platform]) -> None:
    wanted = {"drafted": "by_itself", "targets": 1}
    platform, board = released(next_round=wanted), ScriptedBoard()
    step(platform, board)
    assert board.asked == [(platform.slug, 1)]


@pytest.mark.parametrize(
    "proposal",
    [
        None,
        replace(WHOLE, targets=()),
        replace(WHOLE, is_complete=False),
        replace(WHOLE, scored_rounds=frozenset()),
        replace(WHOLE, scored_rounds=frozenset({2})),
    ],
)
def test_nothing_is_drafted_before_every_model_is_scored_on_the_round(
    released: Callable[..., Platform], proposal: Proposal | None
) -> None:
    platform = released(**BY_ITSELF)
    assert step(platform, ScriptedBoard(proposal)) == 0
    assert len(rounds(platform)) == 1


def test_whose_owner_drafts_it_is_left_alone(released: Callable[..., Platform]) -> None:
    platform, board = released(), ScriptedBoard()
    assert step(platform, board) == 0
    assert board.asked == []


def test_a_round_that_somebody_drafts_meanwhile_is_enough(released: Callable[..., Platform]) -> None:
    platform = released(**BY_ITSELF)

    class SlowBoard(ScriptedBoard):
        def propose(self, slug: str, targets: int) -> Proposal:
            platform.draft()
            return super().propose(slug, targets)

    assert step(platform, SlowBoard()) == 0
    assert len(rounds(platform)) == 2


def test_a_board_that_can_not_be_asked_is_away() -> None:
    for board in (HttpBoard(None), HttpBoard(JsonClient("http://127.0.0.1:1", 1.0, "token"))):
        with pytest.raises(BoardUnavailable):
            board.propose("sentiment", 1)
