"""The demo's round: every service reports the same figures, and the boards can be rebuilt from the log."""

from collections.abc import Callable
from typing import Any

import demo
import pytest
from dynabench_client import Dynabench

pytestmark = pytest.mark.slow


def test_all_services_agree_on_the_demo_and_a_rebuild_changes_nothing(
    owner: Dynabench, played: Any, check_boards: Callable[[], None]
) -> None:
    board, votes = demo.settle(owner, played.round_id)
    assert board.tries >= len(played.examples) >= 150
    assert board.fooled <= board.tries
    assert played.wrong_votes >= 0.15 * played.votes
    assert played.flags >= 0.045 * played.votes
    assert votes.disputed > 0
    assert votes.correct + votes.incorrect + votes.flagged + votes.disputed == votes.resolved
    examples = [example for _, example in played.examples]
    assert len({example.example_id for example in examples}) == len(examples)
    assert all(
        example.verdict == ("fooled" if any(answer.wrong for answer in example.answers) else "not_fooled")
        for example in examples
    )
    check_boards()
