"""An empty queue, the colours of answers, and own work in a line."""

from dynabench_client.results.annotation import Task
from dynabench_client.results.validation import Lease, MyVotes
from web.kit import words
from web.kit.configuration import TaskRules, task_rules
from web.kit.vote_form import vote_form
from web.validate.validator_view import queue_view, work_line
from web_fake_loop import Loop

LABELS = ("negative", "neutral", "positive")


def rules(**changes: object) -> TaskRules:
    document = Loop().task("sentiment")
    document["configuration"].update(changes)
    return task_rules(Task.blank(**document))


def test_an_empty_queue_says_why_and_when() -> None:
    view = queue_view(Lease.blank(reason="Other people are working on it.", retry_after_seconds=42))
    assert (view.reason, view.again, view.retry_after) == ("Other people are working on it.", "42\u00a0s", 42)


def test_options_of_a_validator_keep_the_colours_of_the_task() -> None:
    lease = Lease.blank(**{**Loop().lease(), "options": [*LABELS, "mixed"]})
    view = vote_form(lease, rules(), key="k")
    assert [option.name for option in view.options] == [*LABELS, "mixed"]
    assert view.options[0].style == words.label("negative", LABELS).style
    assert view.unsure_key == "5"


def test_own_work_in_a_line() -> None:
    assert work_line(MyVotes.blank(votes_today=12)) == "12 today"
    shown = work_line(MyVotes.blank(votes_today=1, agreement=0.871, agreement_votes=29))
    assert shown == "1 today · agreement 0.87 on 29\u00a0examples"
    assert work_line(None) == ""
