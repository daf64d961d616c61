"""Targets in tiers: if one is right, the other is not called, from the try to the round's figures."""

from collections.abc import Callable
from typing import Any

import pytest
from dynabench_client import Dynabench
from dynabench_common.testing import wait_until

from tests.scenarios import PRAISE, heard_of, own_task, write

pytestmark = pytest.mark.slow

FIRST, SECOND = "sentiment-minilm", "sentiment-words"
TIERS = {"ensemble": "all", "tiers": [{"targets": [FIRST]}, {"targets": [SECOND]}]}


def test_the_second_target_is_asked_only_about_what_fooled_the_first(
    platform: Any, admin: Dynabench, new_annotator: Callable[[], Dynabench]
) -> None:
    task, author = own_task(platform.url, admin, TIERS), new_annotator()
    round_id = task.open_round([SECOND, FIRST])
    right = write(author, round_id, PRAISE.format("soup"), "positive")
    assert right.verdict == "not_fooled"
    assert [(each.target, each.not_asked, each.wrong) for each in right.answers] == [
        (SECOND, True, None),
        (FIRST, False, False),
    ]
    wrong = write(author, round_id, PRAISE.format("bread"), "negative")
    assert [each.not_asked for each in wrong.answers] == [False, False]

    board = author.leaderboard

    def counted() -> bool:
        found = heard_of(lambda: board.round(round_id))
        return found is not None and found.tries == 2

    wait_until(counted, what="the board to count both tries")
    figures = {each.target: each for each in board.round(round_id).targets}
    assert (figures[FIRST].tries, figures[FIRST].rates_of) == (2, "tries")
    assert (figures[SECOND].tries, figures[SECOND].not_asked) == (1, 1)
    assert figures[SECOND].rates_of == "tries that fooled the earlier tiers"
    matrix = board.matrix(round_id)
    assert (matrix.answered_by_all, matrix.incomplete, matrix.not_asked) == (1, 1, 1)
