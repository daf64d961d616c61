"""Facts on a real database: order, duplicates and batch sizes leave no trace."""

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from random import Random
from typing import Any
from uuid import UUID

import pytest
from dynabench.example.v1 import example_pb2
from dynabench.validation.v1 import validation_pb2
from dynabench_common.events.cloud_events import PermanentEventError
from dynabench_events import decode, encode
from dynabench_events.validation import VotesImported
from hypothesis import given, settings
from hypothesis import strategies as st
from scoring.adapters.fact_reader import FactReader
from scoring.adapters.tables import COPIES, author_count, confirmed_error, example
from sqlalchemy import Engine, select

from services.scoring.tests.conftest import Story

NewStory = Callable[..., Story]
Feed = Callable[..., None]


def held(engine: Engine) -> dict[str, list[Any]]:
    with engine.connect() as connection:
        return {
            table.name: [
                dict(row._mapping)
                for row in connection.execute(select(table).order_by(*table.primary_key.columns))
            ]
            for table in COPIES
        }


def kept_counts(engine: Engine) -> list[Any]:
    with engine.connect() as connection:
        kept = connection.execute(select(author_count).where(author_count.c.examples > 0)).all()
        return sorted(map(tuple, kept))


def counted(engine: Engine) -> list[Any]:
    """Return what the counts must say, read off the examples."""
    each: Counter[tuple[Any, ...]] = Counter()
    with engine.connect() as connection:
        for row in connection.execute(select(example).where(example.c.round_id.is_not(None))):
            key = (
                row.round_id,
                row.author_id or row.example_id,
                row.configuration_version,
                row.retracted_version is not None,
                row.decided_verdict or row.verdict,
                row.resolution or "",
                bool(row.golds),
                row.claimed != "",
            )
            each[key] += 1
    return sorted((*key, number) for key, number in each.items())


@pytest.mark.long
def test_any_order_ends_the_same(
    scoring_engine: Engine, empty_database: Callable[[Engine], None], new_story: NewStory, feed: Feed
) -> None:
    """Every interleaving, with duplicates, in batches of any size, equals the events in order."""
    events = new_story(3).everything()
    empty_database(scoring_engine)
    feed(scoring_engine, events)
    in_order = held(scoring_engine)
    assert in_order[confirmed_error.name] != []

    @settings(max_examples=12, deadline=None)
    @given(order=st.randoms(use_true_random=False), size=st.integers(1, 60))
    def shuffled(order: Random, size: int) -> None:
        several = [*events, *order.sample(events, 20)]
        order.shuffle(several)
        empty_database(scoring_engine)
        feed(scoring_engine, several, size)
        assert held(scoring_engine) == in_order
        assert kept_counts(scoring_engine) == counted(scoring_engine) != []

    shuffled()


def test_imported_votes_in_one_event_are_kept_as_one_by_one(
    scoring_engine: Engine, empty_database: Callable[[Engine], None], new_story: NewStory, feed: Feed
) -> None:
    story = new_story()
    tried = story.tried("negative", ["positive", ""])
    votes = [story.voted(tried, "negative", version) for version in (1, 2)]
    votes += [story.resolved(tried, "correct", "negative"), story.voted(tried, "neutral", 4)]
    opened = story.opened()
    empty_database(scoring_engine)
    feed(scoring_engine, [*opened, tried, *votes])
    expected = held(scoring_engine)
    message = encode(VotesImported.gathering([decode(event.message) for event in votes], story.now))
    told = replace(votes[-1], id=story.new_id(), type=message.DESCRIPTOR.full_name, message=message)
    for batch in ([tried, told], [told, tried], [*votes, tried, told]):
        empty_database(scoring_engine)
        feed(scoring_engine, [*opened, *batch])
        assert held(scoring_engine) == expected
        assert kept_counts(scoring_engine) == counted(scoring_engine) != []


def test_what_is_taken_back_leaves_the_example(engine: Engine, new_story: NewStory, feed: Feed) -> None:
    story = new_story()
    tried = story.tried("negative", ["positive", ""], story.new_id())
    kept, changed, undone = (story.voted(tried, "negative", version) for version in (1, 2, 3))
    assert isinstance(changed.message, validation_pb2.VoteCast)
    again = story.voted(tried, "neutral", 7, vote_id=UUID(changed.message.vote_id))
    events = [
        *story.opened(), tried, kept, changed, undone, story.resolved(tried, "correct", "negative", 4),
        story.withdrawn(undone, 5), story.withdrawn(changed, 6), again, story.unresolved(tried, 8),
    ]  # fmt: skip
    feed(engine, events)
    with engine.connect() as connection:
        (found,) = FactReader(connection).examples(story.round_id)
    assert [vote.option for vote in found.votes] == ["negative", "neutral"]
    assert found.resolution is None


def test_a_decision_of_the_author_takes_the_place_of_the_verdict(
    engine: Engine, new_story: NewStory, feed: Feed
) -> None:
    story = new_story()
    tried = story.tried("negative", ["negative", "negative"], story.new_id())
    feed(engine, [*story.opened(), tried, story.decided(tried, ["deberta"])])
    with engine.connect() as connection:
        (found,) = FactReader(connection).examples(story.round_id)
    assert found.verdict == "fooled"
    assert [answer["wrong"] for answer in found.answers] == [False, True]


def test_an_unusable_event_is_refused_for_good(engine: Engine, new_story: NewStory, feed: Feed) -> None:
    story = new_story()
    bad = story.tried("negative", ["positive", ""])
    assert isinstance(bad.message, example_pb2.ExampleCreated)
    bad.message.verdict = example_pb2.VERDICT_UNSPECIFIED
    with pytest.raises(PermanentEventError, match="verdict"):
        feed(engine, [story.drafted(), bad])
    assert held(engine)["round"] == []
