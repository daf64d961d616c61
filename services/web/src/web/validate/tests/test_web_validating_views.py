"""A validator's own work, undo, answers asked anew and corrections in print."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from dynabench_client.results.annotation import Example, Task
from dynabench_client.results.validation import Lease, MyVotes, Notice, RecentVote
from web.kit.configuration import TaskRules, task_rules
from web.validate.own_votes_view import past_vote_view, undo_view
from web.validate.reveal import correction_view
from web.validate.validator_view import EMPTY, own_record_view, queue_view, work_line
from web_fake_loop import Loop

NOW = datetime(2026, 1, 6, 12, tzinfo=UTC)


@pytest.fixture
def rules() -> TaskRules:
    return task_rules(Task.blank(**Loop().task("sentiment")))


def vote(**changes: Any) -> RecentVote:
    question = {
        "vote": "label",
        "answer_type": "multiclass",
        "options": ["negative", "neutral", "positive", "mixed"],
    }
    example = {"example_id": "e", "context": {"prompt": "P."}, "input": {"text": "T."}}
    reveal = {"claimed": "negative", "explanation": "Irony."}
    base = {"vote_id": "v", "kind": "label", "value": "neutral", "example": example, "reveal": reveal}
    undo_until = NOW + timedelta(seconds=42)
    return RecentVote.blank(**{**question, **base, "undo_until": undo_until, "can_change": True, **changes})


@pytest.mark.parametrize(
    ("mine", "line"),
    [
        ({"votes_today": 0}, "0 today"),
        (
            {"votes_today": 12, "agreement": 0.871, "agreement_votes": 29},
            "12 today · agreement 0.87 on 29\u00a0examples",
        ),
        (
            {
                "votes_today": 12,
                "agreement": 0.871,
                "agreement_votes": 29,
                "agreement_low": 0.78,
                "agreement_high": 0.94,
            },
            "12 today · agreement 0.87 (0.78–0.94)",
        ),
        # Figures of fewer than twenty answers say nothing, and discourage.
        ({"votes_today": 12, "agreement": 0.5, "agreement_votes": 19}, "12 today"),
        (
            {"votes_today": 12, "agreement": 0.5, "agreement_votes": 20},
            "12 today · agreement 0.50 on 20\u00a0examples",
        ),
        ({"votes_today": 1, "gold": {"value": None, "n": 0, "reason": "none yet"}}, "1 today"),
        ({"votes_today": 1, "gold": {"value": 0.5, "n": 2}}, "1 today"),
        ({"votes_today": 1, "gold": {"value": 0.5, "n": 20}}, "1 today · known answers 0.50 of 20"),
        (
            {"votes_today": 1, "gold": {"value": 0.9, "low": 0.6, "high": 0.98, "n": 30}},
            "1 today · known answers 0.90 (0.60–0.98)",
        ),
    ],
)
def test_ones_own_work_stands_in_a_line(mine: dict[str, Any], line: str) -> None:
    assert work_line(MyVotes.blank(**mine)) == line


def test_a_warning_comes_with_the_answer_or_from_the_standing() -> None:
    assert own_record_view(None).is_warned is False
    assert own_record_view(MyVotes.blank(state="warned")).is_warned is True
    assert (
        own_record_view(MyVotes.blank(state="active"), Notice.blank(kind="warned", text="…")).is_warned
        is True
    )
    assert (
        own_record_view(MyVotes.blank(state="warned"), Notice.blank(kind="paused", text="…")).is_warned
        is False
    )


def test_each_state_of_an_empty_queue_has_its_own_words() -> None:
    told = [queue_view(Lease.blank(state=state, retry_after_seconds=600)) for state in EMPTY]
    assert len({view.heading for view in told}) == len({view.reason for view in told}) == len(EMPTY) == 6
    assert {view.again for view in told} == {"10\u00a0minutes"}
    assert [view.is_paused for view in told].count(True) == 1


@pytest.mark.parametrize(
    ("left", "words"), [(60, "60\u00a0s"), (42, "42\u00a0s"), (1, "1\u00a0s"), (0, None), (-5, None)]
)
def test_undo_is_offered_while_there_is_time(left: int, words: str | None, rules: TaskRules) -> None:
    view = undo_view([vote(undo_until=NOW + timedelta(seconds=left))], rules, NOW)
    assert (view.left if view else None) == words


def test_there_is_nothing_to_undo_without_votes(rules: TaskRules) -> None:
    assert undo_view(None, rules, NOW) is None
    assert undo_view([], rules, NOW) is None


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"can_change": True}, ""),
        ({"can_change": False, "resolution": "correct"}, "Others have checked this text"),
        ({"can_change": False}, "You have seen the author's answer"),
        ({"can_change": False, "reveal": None}, "This text is no longer being checked"),
    ],
)
def test_an_answer_is_asked_anew_or_says_why_it_stands(
    changes: dict[str, Any], why: str, rules: TaskRules
) -> None:
    view = past_vote_view([vote(**changes)], "", rules, key="k")
    assert view
    assert view.why_fixed.startswith(why)
    assert (view.vote_form is None) is bool(why)
    assert (view.reveal is None) is not bool(why)
    assert view.can_reveal is ("reveal" in changes)


def test_an_answer_asked_anew_holds_what_was_answered(rules: TaskRules) -> None:
    view = past_vote_view([vote(value="mixed")], "v", rules, key="k")
    assert view
    assert view.vote_form
    assert [option.name for option in view.vote_form.options if option.is_chosen] == ["mixed"]
    assert view.vote_form.claim is None
    assert past_vote_view([vote()], "another", rules, key="k") is None


@pytest.mark.parametrize(
    ("value", "own", "others"),
    [
        ("neutral", "neutral", ["positive"]),
        ("negative", None, ["neutral", "positive"]),
        ("mixed", None, ["neutral", "positive"]),
    ],
    ids=["ones own label first", "not the author's", "not an option that is no label"],
)
def test_a_correction_is_another_label_of_the_task(
    value: str, own: str | None, others: list[str], rules: TaskRules
) -> None:
    view = correction_view(vote(value=value), rules)
    assert (view.own.name if view.own else None) == own
    assert [option.name for option in view.options] == others
    assert view.answer is None


def example(**changes: Any) -> Example:
    return Example.blank(**{"example_id": "e", "round_id": "r", "input": {"text": "T."}, **changes})
