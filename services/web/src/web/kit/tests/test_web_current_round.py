"""Choice of a task's current round."""

from dynabench_client.results.annotation import Task
from web.kit.rounds import current_round
from web_fake_loop import Loop


def test_the_newest_open_round_is_the_current_one() -> None:
    task = Task.blank(**Loop().task("sentiment"))
    now = current_round(task.rounds)
    assert now
    assert now.number == 3
    assert current_round([]) is None
