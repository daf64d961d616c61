"""Offers of the home page, and the tasks by activity."""

from dynabench_api.leaderboard import CurrentRoundAnswer
from dynabench_client.results.annotation import Round, TaskSummary
from dynabench_client.results.leaderboard import MyRound, TaskHeadline
from dynabench_client.results.validation import WaitingRound
from web.home.dashboard import next_things
from web.kit.rounds import by_activity


def task(slug: str, state: str) -> TaskSummary:
    found = Round.blank(round_id=f"round-of-{slug}", task_slug=slug, state=state, number=1)
    return TaskSummary.blank(slug=slug, title=slug.upper(), rounds=(found,))


def headline(slug: str, tries: int) -> TaskHeadline:
    return TaskHeadline.blank(task_slug=slug, current_round=CurrentRoundAnswer.blank(tries=tries))


def test_open_tasks_come_by_activity_and_others_apart() -> None:
    tasks = [task("quiet", "open"), task("busy", "open"), task("over", "closed"), task("new", "open")]
    headlines = [headline("quiet", 3), headline("busy", 30), headline("over", 300)]
    found, others = by_activity(tasks, headlines)
    assert [each.slug for each in found] == ["busy", "quiet", "new"]
    assert [each.slug for each in others] == ["over"]


def test_the_newest_open_round_of_ones_own_is_offered_before_others() -> None:
    tasks = [task("busy", "open"), task("mine", "open"), task("over", "closed")]
    own = [MyRound.blank(round_id="round-of-over"), MyRound.blank(round_id="round-of-mine")]
    (play,) = next_things(tasks, own, ())
    assert play.address == "/rounds/round-of-mine/create"
    (play,) = next_things(tasks, (), ())
    assert play.address == "/rounds/round-of-busy/create"


def test_the_round_with_most_texts_to_check_is_offered_too() -> None:
    tasks = [task("busy", "open"), task("over", "closed")]
    waiting = [
        WaitingRound(round_id="round-of-busy", waiting=2),
        WaitingRound(round_id="round-of-over", waiting=8),
        WaitingRound(round_id="an-earlier-round", waiting=90),
    ]
    play, check = next_things(tasks, (), waiting)
    assert (play.action, check.address) == ("Play", "/rounds/round-of-over/validate")
    assert "8" in check.words


def test_nothing_is_offered_where_nothing_is_open() -> None:
    assert (
        next_things([task("over", "closed")], (), [WaitingRound(round_id="round-of-over", waiting=0)]) == []
    )
