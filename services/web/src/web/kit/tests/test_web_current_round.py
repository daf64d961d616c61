"""Choice of a task's current round."""

import pytest
from dynabench_client.results.annotation import Round, Task
from web.kit.rounds import current_round, round_name
from web_fake_loop import Loop


def test_the_newest_open_round_is_the_current_one() -> None:
    task = Task.blank(**Loop().task("sentiment"))
    now = current_round(task.rounds)
    assert now
    assert now.number == 3
    assert current_round([]) is None


@pytest.mark.parametrize(
    ("rule", "states", "current"),
    [
        ("an open demonstration does not hide a closed round", ["closed", "demonstration open"], 1),
        ("a released round comes before a newer demonstration", ["released", "demonstration released"], 1),
        ("without another round it is the demonstration", ["demonstration released"], 1),
    ],
)
def test_a_demonstration_comes_after_every_other_round(rule: str, states: list[str], current: int) -> None:
    rounds = [
        Round.blank(number=number, state=state, origin=origin)
        for number, (origin, _, state) in enumerate((each.rpartition(" ") for each in states), start=1)
    ]
    now = current_round(rounds)
    assert now, rule
    assert now.number == current, rule


def test_the_name_of_a_demonstration_says_so() -> None:
    assert round_name(Round.blank(number=2, origin="demonstration")) == "Round 2 (demonstration)"
