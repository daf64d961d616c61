"""Which events state something usable, and what is said of those that do not."""

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime
from typing import Any

import pytest
from dynabench.task.v1 import task_pb2
from dynabench_common.events import PermanentEventError
from dynabench_tasks.verdict import Verdict
from leaderboard.adapters.event_codec import AboutExample, AboutWithdrawnVotes, read
from leaderboard.domain.facts import Decision, Resolution, Try, Withdrawal

NewStory = Callable[..., Any]


def test_a_try_is_read_whole(new_story: NewStory) -> None:
    story = new_story()
    author_id = story.new_id()
    statement = read(story.tried("negative", ["positive", ""], author_id))
    assert isinstance(statement, AboutExample)
    assert isinstance(statement.fact, Try)
    assert statement.fact.author_id == author_id
    assert [(a.target, a.wrong, a.missing) for a in statement.fact.answers] == [
        ("roberta", True, False),
        ("deberta", False, True),
    ]
    assert statement.fact.created_at.tzinfo is not None


def test_a_decision_and_golds_are_read_whole(new_story: NewStory) -> None:
    story = new_story()
    tried = story.asked(["positive", "negative"], condition="prompt")
    decision = read(story.decided_by_author(tried, ["deberta"])).fact  # type: ignore[union-attr]
    assert isinstance(decision, Decision)
    assert (decision.verdict, decision.wrong_targets) == (Verdict.FOOLED, {"deberta"})
    resolution = read(story.resolved(tried, 1, golds=["a", "b"])).fact  # type: ignore[union-attr]
    assert isinstance(resolution, Resolution)
    assert resolution.golds == ("a", "b")
    assert read(tried).fact.condition == "prompt"  # type: ignore[union-attr]


def test_what_groups_and_effort_follow_from_is_read(new_story: NewStory) -> None:
    story = new_story()
    author_id, context_id = story.new_id(), story.new_id()
    story.tried("negative", ["positive"], author_id, context_id=context_id)
    again = story.tried(
        "negative", ["positive"], author_id, cohort="crowd", tags=["b", "a", "b"], context_id=context_id,
        seconds=1.2345,
    )  # fmt: skip
    fact = read(again).fact  # type: ignore[union-attr]
    assert isinstance(fact, Try)
    assert (fact.cohort, fact.tags, fact.claimed) == ("crowd", ("a", "b"), "negative")
    assert (fact.context_id, fact.number, fact.milliseconds) == (context_id, 2, 1234)


@pytest.mark.parametrize(("seconds", "expected"), [(-3.0, 0), (float("nan"), None), (float("inf"), None)])
def test_odd_times_are_none_or_refused(new_story: NewStory, seconds: float, expected: int | None) -> None:
    event = new_story().tried("negative", ["positive"], seconds=seconds)
    if expected is None:
        with pytest.raises(PermanentEventError):
            read(event)
        return
    assert read(event).fact.milliseconds == expected  # type: ignore[union-attr]


def test_withdrawn_votes_and_resolutions_are_read(new_story: NewStory) -> None:
    story = new_story()
    tried = story.tried("negative", ["positive"], story.new_id())
    voted = story.voted(tried, "negative", 2)
    withdrawn = read(story.unvoted(voted, 5))
    assert isinstance(withdrawn, AboutWithdrawnVotes)
    assert (withdrawn.version, [str(vote_id) for vote_id in withdrawn.vote_ids]) == (
        5,
        [voted.message.vote_id],
    )
    assert isinstance(read(story.unresolved(tried, 6)).fact, Withdrawal)  # type: ignore[union-attr]
    bad = story.unvoted(voted, 5)
    bad.message.vote_ids[:] = ["first"]
    with pytest.raises(PermanentEventError, match="vote_ids is no UUID: 'first'"):
        read(bad)


def test_no_author_and_no_segment_are_none(new_story: NewStory) -> None:
    event = new_story().tried("negative", ["positive"])
    event.message.segment_id = ""
    fact = read(event).fact  # type: ignore[union-attr]
    assert (fact.author_id, fact.segment_id) == (None, None)  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("field", "value", "reason"),
    [
        ("example_id", "", "example_id is no UUID"),
        ("round_id", "first", "round_id is no UUID: 'first'"),
        ("author_id", "me", "author_id is no UUID"),
        ("verdict", 0, "verdict 0 means nothing here"),
        ("verdict", 99, "verdict 99 means nothing here"),
    ],
)
def test_an_unusable_try_is_refused_for_good(
    new_story: NewStory, field: str, value: Any, reason: str
) -> None:
    event = new_story().tried("negative", ["positive"])
    setattr(event.message, field, value)
    with pytest.raises(PermanentEventError, match=reason):
        read(event)


def test_a_missing_time_is_refused(new_story: NewStory) -> None:
    event = new_story().tried("negative", ["positive"])
    event.message.ClearField("created_at")
    with pytest.raises(PermanentEventError, match="created_at is missing"):
        read(event)


def test_a_time_outside_the_calendar_is_refused(new_story: NewStory) -> None:
    event = new_story().tried("negative", ["positive"])
    event.message.created_at.seconds = 2**62
    with pytest.raises(PermanentEventError):
        read(event)


def test_a_time_without_zone_is_refused(new_story: NewStory) -> None:
    event = replace(new_story().drafted(), time=datetime(2026, 3, 2))
    with pytest.raises(PermanentEventError, match="time zone"):
        read(event)


@pytest.mark.parametrize("text", ["", "[]", "{", "{}", '{"input": "text"}'])
def test_an_unusable_configuration_is_refused(new_story: NewStory, text: str) -> None:
    event = new_story().configured()
    event.message.configuration_json = text
    with pytest.raises(PermanentEventError):
        read(event)


def test_an_unspecified_state_is_refused(new_story: NewStory) -> None:
    with pytest.raises(PermanentEventError, match="state 0"):
        read(new_story().moved(task_pb2.ROUND_STATE_UNSPECIFIED, 3))
