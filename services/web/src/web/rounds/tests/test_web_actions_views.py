"""Effects of a round's next state, and its possible targets."""

import pytest
from dynabench_client.results.annotation import Round, StatePreview, TaskModel
from dynabench_client.results.validation import ValidationCounts
from web.rounds.actions_view import move_view, target_choices


@pytest.mark.parametrize(
    ("state", "to", "name", "needs_reason", "lines"),
    [
        ("open", "paused", "Pause Round 2", False, 3),
        ("open", "closed", "Close Round 2", True, 3),
        ("paused", "open", "Open Round 2", False, 1),
        ("closed", "open", "Reopen Round 2", True, 1),
    ],
)
def test_moving_a_round_tells_of_tries_and_of_votes(
    state: str, to: str, name: str, needs_reason: bool, lines: int
) -> None:
    found = Round.blank(round_id="r", number=2, state=state)
    preview = StatePreview.blank(**{"consequences": [{"text": "People at work.", "count": 3}]})
    view = move_view(found, to, preview, ValidationCounts.blank(pending=92, pending_fooling=60, leases_out=4))
    assert (view.name, view.needs_reason, len(view.consequences)) == (name, needs_reason, lines)
    assert view.question == f"{name}?"
    assert view.consequences[0] == "3 · people at work."
    assert not move_view(found, to, None, None).is_known


def test_a_present_target_that_is_gone_can_be_kept_or_dropped() -> None:
    models = [
        TaskModel.blank(name="new", ready=True, published=True),
        TaskModel.blank(name="hidden", ready=True, published=False),
    ]
    choices = target_choices(["old"], models, ["old"])
    assert [(choice.name, choice.is_chosen) for choice in choices] == [("new", False), ("old", True)]
    assert choices[1].note == "no longer served"
