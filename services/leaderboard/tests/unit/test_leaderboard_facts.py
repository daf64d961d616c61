"""The facts of an example from its events, and the errors for unusable events."""

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime
from typing import Any, cast
from unittest.mock import Mock

import pytest
from dynabench.example.v1 import example_pb2
from dynabench.task.v1 import task_pb2
from dynabench.validation.v1 import validation_pb2
from dynabench_common.events.cloud_events import Event, PermanentEventError
from dynabench_common.ignored_keys import missing_kind_in
from dynabench_events import Recorded, recorded
from dynabench_events.task import TaskCreated
from dynabench_events.validation import VotesWithdrawn
from dynabench_tasks.verdict import Verdict
from google.protobuf import json_format
from leaderboard.adapters import round_store
from leaderboard.domain.facts import Example, Try
from structlog.testing import capture_logs

from services.leaderboard.tests.conftest import Story

NewStory = Callable[..., Story]


def known_from(*events: Event) -> Example:
    known = Example(events[0].aggregate_id)
    for event in events:
        known = known.with_event(event.aggregate_version, recorded(event).record)
    return known


def attempt_of(event: Event) -> Try:
    attempt = known_from(event).attempt
    assert attempt is not None
    return attempt


def test_a_try_is_known_whole(new_story: NewStory) -> None:
    story = new_story()
    author_id = story.new_id()
    attempt = attempt_of(story.tried("negative", ["positive", ""], author_id))
    assert attempt.author_id == author_id
    assert [(a.target, a.wrong, a.missing) for a in attempt.answers] == [
        ("roberta", True, False),
        ("deberta", False, True),
    ]
    assert attempt.created_at.tzinfo is not None


def test_an_authors_verdict_and_golds_are_known_whole(new_story: NewStory) -> None:
    story = new_story()
    tried = story.asked(["positive", "negative"], condition="prompt")
    example = known_from(
        tried, story.decided_by_author(tried, ["deberta"]), story.resolved(tried, 1, golds=["a", "b"])
    )
    decided = example.authors_verdict
    assert decided is not None
    assert (decided.verdict, decided.wrong_targets) == (Verdict.FOOLED, frozenset({"deberta"}))
    assert example.resolution is not None
    assert example.resolution.golds == ("a", "b")
    assert attempt_of(tried).condition == "prompt"


def test_what_groups_and_effort_follow_from_is_known(new_story: NewStory) -> None:
    story = new_story()
    author_id, context_id = story.new_id(), story.new_id()
    story.tried("negative", ["positive"], author_id, context_id=context_id)
    again = story.tried(
        "negative", ["positive"], author_id, cohort="crowd", tags=["b", "a", "b"], context_id=context_id,
        seconds=1.2345,
    )  # fmt: skip
    attempt = attempt_of(again)
    assert (attempt.cohort, attempt.tags, attempt.claimed) == ("crowd", ("a", "b"), "negative")
    assert (attempt.context_id, attempt.number, attempt.milliseconds) == (context_id, 2, 1234)


@pytest.mark.parametrize(("seconds", "expected"), [(-3.0, 0), (float("nan"), None), (float("inf"), None)])
def test_odd_times_are_none_or_refused(new_story: NewStory, seconds: float, expected: int | None) -> None:
    event = new_story().tried("negative", ["positive"], seconds=seconds)
    if expected is None:
        with pytest.raises(PermanentEventError):
            recorded(event)
        return
    assert attempt_of(event).milliseconds == expected


def test_withdrawn_votes_and_resolutions_are_read(new_story: NewStory) -> None:
    story = new_story()
    tried = story.tried("negative", ["positive"], story.new_id())
    voted = story.voted(tried, "negative", 2)
    assert isinstance(voted.message, validation_pb2.VoteCast)
    withdrawn = recorded(story.unvoted(voted, 5))
    assert isinstance(withdrawn.record, VotesWithdrawn)
    assert (withdrawn.version, [str(vote_id) for vote_id in withdrawn.record.vote_ids]) == (
        5,
        [voted.message.vote_id],
    )
    assert known_from(story.unresolved(tried, 6)).waiting_again is not None
    bad = story.unvoted(voted, 5)
    assert isinstance(bad.message, validation_pb2.VotesWithdrawn)
    bad.message.vote_ids[:] = ["first"]
    with pytest.raises(PermanentEventError, match="vote_ids is no UUID: 'first'"):
        recorded(bad)


def test_no_author_and_no_segment_are_none(new_story: NewStory) -> None:
    event = new_story().tried("negative", ["positive"])
    assert isinstance(event.message, example_pb2.ExampleCreated)
    event.message.segment_id = ""
    attempt = attempt_of(event)
    assert (attempt.author_id, attempt.segment_id) == (None, None)


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
        recorded(event)


def test_a_missing_time_is_refused(new_story: NewStory) -> None:
    event = new_story().tried("negative", ["positive"])
    event.message.ClearField("created_at")
    with pytest.raises(PermanentEventError, match="created_at is missing"):
        recorded(event)


def test_a_time_outside_the_calendar_is_refused(new_story: NewStory) -> None:
    event = new_story().tried("negative", ["positive"])
    assert isinstance(event.message, example_pb2.ExampleCreated)
    event.message.created_at.seconds = 2**62
    with pytest.raises(PermanentEventError):
        recorded(event)


def configuration_of(event: Event) -> Recorded[TaskCreated]:
    return cast(Recorded[TaskCreated], recorded(event))


def test_a_time_without_zone_is_refused(new_story: NewStory) -> None:
    event = replace(new_story().drafted(), time=datetime(2026, 3, 2))
    with pytest.raises(PermanentEventError, match="time zone"):
        recorded(event)


@pytest.mark.parametrize("text", ["", "[]", "{", "{}", '{"input": "text"}'])
def test_an_unusable_configuration_is_refused(new_story: NewStory, text: str) -> None:
    event = new_story().configured()
    json_format.ParseDict({"configuration_json": text}, event.message)
    with pytest.raises(PermanentEventError):
        missing_kind_in(configuration_of(event).record)


def test_a_configuration_is_read_once_and_what_is_passed_over_is_said_once(
    new_story: NewStory,
) -> None:
    event = configuration_of(new_story().configured(rehearsals="weekly"))
    written = Mock()
    with capture_logs() as said:
        round_store.save_configuration(written, event)
    assert written.execute.call_count == 1
    assert said == [
        {
            "event": "configuration_key_passed_over",
            "log_level": "info",
            "task_id": str(event.record.task_id),
            "configuration_version": event.record.configuration_version,
            "key": "rehearsals",
        }
    ]


def test_an_unspecified_state_is_refused(new_story: NewStory) -> None:
    with pytest.raises(PermanentEventError, match="state 0"):
        recorded(new_story().moved(task_pb2.ROUND_STATE_UNSPECIFIED, 3))
