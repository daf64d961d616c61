"""Boards are worked out once per revision."""

from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from types import SimpleNamespace
from typing import Any
from uuid import UUID, uuid4

import pytest
from leaderboard.domain.board import Board
from leaderboard.domain.errors import RoundNotFound
from leaderboard.domain.groups import Dimension
from leaderboard.queries.boards import Boards, Breakdown, By, RoundEffort
from leaderboard.queries.time_series import RoundTimeSeries
from sqlalchemy import create_engine

NOW = datetime(2026, 3, 2, tzinfo=UTC)


class CountingBoards(Boards):
    """Boards that read nothing, and count how often one is worked out."""

    def __init__(self) -> None:
        super().__init__(create_engine("postgresql+psycopg2://"))
        self.revisions: dict[UUID, UUID] = {}
        self.worked_out = 0

    def change(self, round_id: UUID) -> None:
        self.revisions[round_id] = uuid4()

    def revision(self, round_id: UUID) -> UUID:
        if round_id not in self.revisions:
            raise RoundNotFound(round_id)
        return self.revisions[round_id]

    def _read_board(self, round_id: UUID) -> Board:
        self.worked_out += 1
        return Board(round_id, "sentiment", 1, "", "open", (), NOW, self.revisions[round_id], {}, ())

    def _read_groups(self, round_id: UUID, dimension: Dimension) -> Breakdown:
        self.worked_out += 1
        return Breakdown(self.revisions[round_id], ())

    def _read_time_series(self, round_id: UUID) -> RoundTimeSeries:
        self.worked_out += 1
        return RoundTimeSeries(self.revisions[round_id], NOW, (), None)

    def _read_effort(self, round_id: UUID) -> RoundEffort:
        return RoundEffort(self.revisions[round_id], {}, {})

    def _read_tasks(self, after_slug: str, most: int, hidden: frozenset[str]) -> list[Any]:
        current = next(iter(self.revisions), None)
        revision = None if current is None else self.revisions[current]
        return [
            SimpleNamespace(
                task_id=uuid4(), slug="sentiment", title="", rounds=1, round_id=current, revision=revision
            )
        ]


def test_a_board_is_worked_out_once_per_revision() -> None:
    boards, round_id = CountingBoards(), uuid4()
    boards.change(round_id)
    first = boards.board(round_id)
    assert boards.board(round_id) is first
    assert boards.tasks("", 10, frozenset())[0].board is first
    boards.change(round_id)
    assert boards.board(round_id) is not first
    assert boards.worked_out == 2


def test_breakdowns_and_time_series_are_worked_out_once_per_revision() -> None:
    boards, round_id = CountingBoards(), uuid4()
    for times in (1, 2):
        boards.change(round_id)
        for _ in range(3):
            boards.breakdown(round_id, By.TAG)
            boards.breakdown(round_id, By.WEEK)
            boards.time_series(round_id)
        assert boards.worked_out == 3 * times


def test_readers_at_once_share_the_work() -> None:
    boards, round_id = CountingBoards(), uuid4()
    boards.change(round_id)
    with ThreadPoolExecutor(8) as readers:
        found = list(readers.map(boards.board, [round_id] * 40))
    assert boards.worked_out == 1
    assert all(board is found[0] for board in found)


def test_an_unknown_round_is_not_found_anywhere() -> None:
    boards = CountingBoards()
    with pytest.raises(RoundNotFound):
        boards.board(uuid4())
    with pytest.raises(RoundNotFound):
        boards.time_series(uuid4())
    with pytest.raises(RoundNotFound):
        boards.breakdown(uuid4(), By.COHORT)
    with pytest.raises(RoundNotFound):
        boards.effort(uuid4())


def test_a_task_without_rounds_has_no_board() -> None:
    assert CountingBoards().tasks("", 10, frozenset())[0].board is None
