"""Imported votes of a record in one event: boards equal those from one event for each vote."""

from collections.abc import Callable
from dataclasses import replace

import pytest
from dynabench.validation.v1 import validation_pb2
from dynabench_common.events.cloud_events import PermanentEventError
from dynabench_events import decode, encode
from dynabench_events.validation import VotesImported
from leaderboard.adapters.snapshot import snapshot
from sqlalchemy import Engine

from services.leaderboard.tests.conftest import Story

NewStory = Callable[..., Story]
Feed = Callable[..., None]


@pytest.mark.parametrize("decided", [True, False])
def test_imported_votes_in_one_event_count_as_one_by_one(
    leaderboard_engine: Engine,
    empty_database: Callable[[Engine], None],
    new_story: NewStory,
    feed: Feed,
    decided: bool,
) -> None:
    story = new_story()
    tried = story.tried("negative", ["positive", ""])
    votes = [story.voted(tried, "negative", version) for version in (1, 2)]
    if decided:
        votes += [story.resolved(tried, validation_pb2.RESOLUTION_CORRECT, "negative")]
        votes += [story.voted(tried, "neutral", 4, counted=False)]
    one_by_one = [replace(event, time=decode(event.message).occurred_at) for event in votes]
    empty_database(leaderboard_engine)
    opened = story.opened()
    feed(leaderboard_engine, [*opened, tried, *one_by_one])
    expected = snapshot(leaderboard_engine)

    gathered = VotesImported.gathering([decode(event.message) for event in votes], story.now)
    message = encode(gathered)
    told = replace(votes[-1], id=story.new_id(), type=message.DESCRIPTOR.full_name, message=message)
    again = replace(told, id=story.new_id())
    for batch in ([tried, told], [told, tried], [told, again, tried], [*one_by_one, tried, told]):
        empty_database(leaderboard_engine)
        feed(leaderboard_engine, [*opened, *batch])
        assert snapshot(leaderboard_engine) == expected


def test_an_event_that_leaves_no_place_for_its_parts_is_refused(
    engine: Engine, new_story: NewStory, feed: Feed
) -> None:
    story = new_story()
    tried = story.tried("negative", ["positive", ""])
    votes = [story.voted(tried, "negative", version) for version in (1, 2)]
    message = encode(VotesImported.gathering([decode(event.message) for event in votes], story.now))
    told = replace(votes[0], type=message.DESCRIPTOR.full_name, message=message)
    with pytest.raises(PermanentEventError, match="can't end at version 1"):
        feed(engine, [told])
