"""Facts on a real database: order, duplicates and batch sizes leave no trace."""

from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest
from dynabench_common.events import PermanentEventError
from hypothesis import given, settings
from hypothesis import strategies as st
from scoring.adapters.fact_reader import FactReader
from scoring.adapters.tables import COPIES, author_count, example
from sqlalchemy import Engine, select

NewStory = Callable[..., Any]
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


def test_any_order_ends_the_same(
    scoring_engine: Engine, empty_database: Callable[[Engine], None], new_story: NewStory, feed: Feed
) -> None:
    """Every interleaving, with duplicates, in batches of any size, equals the events in order."""
    events = new_story(3).everything()
    empty_database(scoring_engine)
    feed(scoring_engine, events)
    in_order = held(scoring_engine)

    @settings(max_examples=12, deadline=None)
    @given(order=st.randoms(use_true_random=False), size=st.integers(1, 60))
    def shuffled(order: Any, size: int) -> None:
        several = [*events, *order.sample(events, 20)]
        order.shuffle(several)
        empty_database(scoring_engine)
        feed(scoring_engine, several, size)
        assert held(scoring_engine) == in_order
        assert kept_counts(scoring_engine) == counted(scoring_engine) != []

    shuffled()


def test_what_is_taken_back_leaves_the_example(engine: Engine, new_story: NewStory, feed: Feed) -> None:
    story = new_story()
    tried = story.tried("negative", ["positive", ""], story.new_id())
    kept, changed, undone = (story.voted(tried, "negative", version) for version in (1, 2, 3))
    again = story.voted(tried, "neutral", 7, vote_id=changed.message.vote_id)
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
    bad.message.verdict = 0
    with pytest.raises(PermanentEventError, match="verdict"):
        feed(engine, [story.drafted(), bad])
    assert held(engine)["round"] == []
