"""In which rounds people may vote."""

import pytest
from dynabench_tasks.rounds import RoundState


@pytest.mark.parametrize(
    ("state", "takes_votes"),
    [("draft", False), ("open", True), ("paused", True), ("closed", True), ("released", False)],
)
def test_validation_goes_on_after_closing_and_ends_with_release(state: str, takes_votes: bool) -> None:
    assert RoundState(state).takes_votes is takes_votes
