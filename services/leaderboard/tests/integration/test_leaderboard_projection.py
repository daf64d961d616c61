"""The projection on a real database: order, duplicates and batch sizes leave no trace."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from random import Random
from typing import Any
from uuid import UUID

import pytest
from dynabench.example.v1 import example_pb2
from dynabench.task.v1 import task_pb2
from dynabench.validation.v1 import validation_pb2
from dynabench_common.database.connections import create_database_engine
from dynabench_common.events.cloud_events import Event, PermanentEventError
from dynabench_common.events.consumer import apply_new
from dynabench_common.testing import wait_until
from hypothesis import given, settings
from hypothesis import strategies as st
from leaderboard.adapters import read_model_version
from leaderboard.adapters.projection import VERSION, BoardProjection
from leaderboard.adapters.snapshot import snapshot
from leaderboard.adapters.standing_read_model import StandingReadModel
from leaderboard.adapters.tables import inbox, read_models
from leaderboard.bootstrap import CONSUMER
from leaderboard.domain.board import Board
from leaderboard.domain.errors import RoundNotFound
from leaderboard.queries.boards import Boards
from sqlalchemy import Engine, text

from services.leaderboard.tests.conftest import Story
from services.leaderboard.tests.integration.kept_sums import kept, recount

NewStory = Callable[..., Story]
Feed = Callable[..., None]


def board(engine: Engine, round_id: UUID) -> Board:
    return Boards(engine).board(round_id)


@pytest.mark.parametrize("is_pooled", [False, True])
def test_boards_are_read_at_one_moment_and_write_nothing(engine: Engine, is_pooled: bool) -> None:
    url = engine.url.render_as_string(hide_password=False)
    own = create_database_engine(url, "leaderboard-tests", pool_size=1, is_pooled=is_pooled)
    try:
        with StandingReadModel(own).connect() as connection:
            found = [
                connection.execute(text(f"SHOW transaction_{what}")).scalar_one()
                for what in ("isolation", "read_only")
            ]
            assert found == ["repeatable read", "on"]
        with own.begin() as connection:
            assert connection.execute(text("SHOW transaction_read_only")).scalar_one() == "off"
    finally:
        own.dispose()


LABELLED = {
    name: [{"name": "label", "type": "multiclass", "labels": ["negative", "neutral", "positive"]}]
    for name in ("input", "output")
}
MAJORITY: dict[str, Any] = {"ensemble": "all", "validation": {"gold": "majority", "validate": "all"}}
ASKED = {"wrong_when": "ask_annotator", "validation": {"gold": "majority"}}


@pytest.mark.long
@pytest.mark.parametrize(
    "changes",
    [LABELLED, MAJORITY, ASKED],
    ids=["author confirmed", "majority of all", "what authors decided"],
)
def test_any_order_ends_the_same(
    leaderboard_engine: Engine,
    empty_database: Callable[[Engine], None],
    new_story: NewStory,
    feed: Feed,
    changes: dict[str, Any],
) -> None:
    """Every interleaving, with duplicates, in batches of any size, equals the events in order."""
    story = new_story(3)
    events = story.round_of_tries(30)
    events[0] = new_story(3).configured(**changes)
    empty_database(leaderboard_engine)
    feed(leaderboard_engine, events)
    in_order = snapshot(leaderboard_engine)

    @settings(max_examples=12, deadline=None)
    @given(order=st.randoms(use_true_random=False), size=st.integers(1, 60))
    def shuffled(order: Random, size: int) -> None:
        several = [*events, *order.sample(events, 20)]
        order.shuffle(several)
        empty_database(leaderboard_engine)
        feed(leaderboard_engine, several, size)
        assert snapshot(leaderboard_engine) == in_order
        assert kept(leaderboard_engine) == recount(leaderboard_engine, changes)

    shuffled()


def test_a_fact_told_again_under_another_event_id_changes_nothing(
    engine: Engine, new_story: NewStory, feed: Feed
) -> None:
    feed(engine, new_story(4).round_of_tries(20))
    before = snapshot(engine)
    again = new_story(4).round_of_tries(20)
    feed(engine, [_renamed(event, new_story(99 + number)) for number, event in enumerate(again)])
    assert snapshot(engine) == before


def _renamed(event: Event, other: Story) -> Event:
    return type(event)(**{**event.__dict__, "id": other.new_id()})


def test_a_worker_waits_for_what_another_is_writing(engine: Engine, new_story: NewStory, feed: Feed) -> None:
    """One worker writes an example while another brings its configuration; neither sees the other's work yet."""
    story = new_story()
    tried = story.tried("positive", ["positive", "positive"], story.new_id())
    against = story.resolved(tried, validation_pb2.RESOLUTION_INCORRECT, "negative")
    with ThreadPoolExecutor(1) as other_worker:
        with engine.begin() as connection:
            apply_new(connection, inbox, CONSUMER, BoardProjection(), [tried, against])
            other = other_worker.submit(feed, engine, [story.configured(**MAJORITY)])
            wait_until(lambda: other.done() or waiting(engine), what="the other worker at its turn")
        other.result(15)
    feed(engine, [story.drafted()])
    assert board(engine, story.round_id).figures.validated_errors == 1
    assert kept(engine) == recount(engine, MAJORITY)


def waiting(engine: Engine) -> bool:
    statement = "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()"
    with engine.connect() as connection:
        return bool(connection.execute(text(statement)).scalar_one())


def test_workers_at_once_leave_no_drift(engine: Engine, new_story: NewStory, feed: Feed) -> None:
    events = new_story(13).round_of_tries(120, authors=3)
    parts = [[event for event in events if event.topic == topic] for topic in {e.topic for e in events}]
    with ThreadPoolExecutor(len(parts)) as workers:
        list(workers.map(lambda part: feed(engine, part, 7), parts))
    assert kept(engine) == recount(engine, {})


def test_a_configuration_after_its_examples_counts_them_anew(
    engine: Engine, new_story: NewStory, feed: Feed
) -> None:
    story = new_story()
    tried = story.tried("positive", ["positive", "positive"], story.new_id())
    against = story.resolved(tried, validation_pb2.RESOLUTION_INCORRECT, "negative")
    feed(engine, [story.drafted(), tried, against])
    assert board(engine, story.round_id).figures.validated_errors == 0
    feed(engine, [story.configured(**MAJORITY)])
    assert board(engine, story.round_id).figures.validated_errors == 1
    assert board(engine, story.round_id).task_slug == "sentiment"


def test_a_later_configuration_leaves_earlier_examples_alone(
    engine: Engine, new_story: NewStory, feed: Feed
) -> None:
    story = new_story()
    tried = story.tried("positive", ["positive", "positive"], story.new_id())
    against = story.resolved(tried, validation_pb2.RESOLUTION_INCORRECT, "negative")
    feed(engine, [story.configured(), story.drafted(), tried, against, story.configured(2, **MAJORITY)])
    assert board(engine, story.round_id).figures.validated_errors == 0


def test_an_adjudication_moves_an_error_in_history(engine: Engine, new_story: NewStory, feed: Feed) -> None:
    story = new_story()
    tried = story.tried("negative", ["positive", "negative"], story.new_id())
    correct = story.resolved(tried, validation_pb2.RESOLUTION_CORRECT, "negative", 3)
    story.tried("neutral", ["neutral"]), story.tried("neutral", ["neutral"])
    overturned = story.resolved(tried, validation_pb2.RESOLUTION_INCORRECT, "positive", 4)
    feed(engine, [*story.opened(), tried, correct], size=1)
    assert kept(engine) == recount(engine, {})
    assert board(engine, story.round_id).figures.validated_errors == 1
    feed(engine, [overturned])
    assert kept(engine) == recount(engine, {})
    assert board(engine, story.round_id).figures.validated_errors == 0


def test_a_decision_moves_a_try_from_undecided_to_fooled(
    engine: Engine, new_story: NewStory, feed: Feed
) -> None:
    story = new_story()
    tried = story.asked(["positive", "negative"], story.new_id(), "prompt")
    feed(engine, [*story.opened(), tried])
    before = board(engine, story.round_id).figures
    assert (before.total.undecided, before.total.decided, before.mer.value) == (1, 0, None)
    feed(engine, [story.decided_by_author(tried, ["roberta"])])
    after = board(engine, story.round_id)
    assert (after.figures.total.undecided, after.figures.mer.value) == (0, 1.0)
    assert [after.subjects[name].total.fooled for name in story.targets] == [1, 0]
    assert kept(engine) == recount(engine, {})


def test_a_retraction_empties_its_pattern(engine: Engine, new_story: NewStory, feed: Feed) -> None:
    story = new_story()
    tried = story.tried("negative", ["positive", "negative"], story.new_id())
    feed(engine, [*story.opened(), tried])
    assert len(snapshot(engine)["fooling_pattern"]) == 1
    feed(engine, [story.retracted(tried)])
    assert snapshot(engine)["fooling_pattern"] == []


def test_the_round_moves_by_version_not_by_arrival(engine: Engine, new_story: NewStory, feed: Feed) -> None:
    story = new_story()
    opened = story.moved(task_pb2.ROUND_STATE_OPEN, 3)
    closed = story.moved(task_pb2.ROUND_STATE_CLOSED, 4)
    feed(engine, [closed, story.drafted(), opened], size=1)
    assert board(engine, story.round_id).state == "closed"
    assert board(engine, story.round_id).as_of == story.now


def test_the_whole_is_the_sum_of_its_segments(engine: Engine, new_story: NewStory, feed: Feed) -> None:
    story = new_story(5)
    feed(engine, story.round_of_tries(120, authors=9))
    whole = board(engine, story.round_id)
    assert [segment.number for segment in whole.segments] == [1, 2]
    summed = [sum(counts) for counts in zip(*(part.figures.total for part in whole.segments), strict=True)]
    assert list(whole.figures.total) == summed
    assert whole.figures.total.tries == 120
    interval = whole.figures.mer
    assert interval.low is not None
    assert interval.value is not None
    assert interval.low < interval.value
    assert whole.segments[0].ran[0].model_digest == "sha256:roberta1"


def test_a_whole_round_and_its_only_segment_agree(engine: Engine, new_story: NewStory, feed: Feed) -> None:
    story = new_story(6)
    people = [story.new_id() for _ in range(6)]
    tries = [story.tried("negative", ["positive", "negative"], people[n % 6]) for n in range(30)]
    feed(engine, [*story.opened(), *tries])
    found = board(engine, story.round_id)
    assert found.figures == found.segments[0].figures
    assert found.figures.mer.high is not None


def test_unknown_authors_are_said(engine: Engine, new_story: NewStory, feed: Feed) -> None:
    story = new_story()
    feed(engine, [*story.opened(), *(story.tried("negative", ["positive", ""]) for _ in range(8))])
    assert board(engine, story.round_id).figures.mer.reason == "no interval: authors unknown"


def test_an_unusable_event_is_refused_for_good_and_alone(
    engine: Engine, new_story: NewStory, feed: Feed
) -> None:
    story = new_story()
    bad = story.tried("negative", ["positive", ""])
    assert isinstance(bad.message, example_pb2.ExampleCreated)
    bad.message.verdict = example_pb2.VERDICT_UNSPECIFIED
    with pytest.raises(PermanentEventError, match="verdict"):
        feed(engine, [story.drafted(), bad])
    with pytest.raises(RoundNotFound):
        board(engine, story.round_id)


@pytest.mark.long
def test_workers_on_one_round_leave_what_a_rebuild_gives(
    engine: Engine, new_story: NewStory, feed: Feed
) -> None:
    """Two workers share the events of three rounds by aggregate, so both write to every round all the time."""
    stories = [new_story(20 + number) for number in range(3)]
    events = [event for story in stories for event in story.round_of_tries(60, authors=3)]
    parts = [[e for e in events if e.aggregate_id.int % 2 == half] for half in range(2)]
    with ThreadPoolExecutor(2) as workers:
        list(workers.map(lambda part: feed(engine, part, 9), parts))
    live = snapshot(engine)
    with engine.begin() as connection:
        for table in (*read_models, inbox):
            connection.execute(table.delete())
    feed(engine, events)
    assert snapshot(engine) == live
    assert kept(engine) == recount(engine, {})


def test_a_worker_does_not_wait_for_another_round(engine: Engine, new_story: NewStory, feed: Feed) -> None:
    here, there = new_story(30), new_story(31)
    feed(engine, [here.configured(), here.drafted(), there.configured(), there.drafted()])
    held = here.tried("positive", ["positive", ""], here.new_id())
    free = there.tried("positive", ["positive", ""], there.new_id())
    with ThreadPoolExecutor(1) as other_worker, engine.begin() as connection:
        apply_new(connection, inbox, CONSUMER, BoardProjection(), [held])
        other_worker.submit(feed, engine, [free]).result(15)


def test_an_old_worker_never_writes_among_rows_of_a_newer_version(
    engine: Engine, new_story: NewStory, feed: Feed
) -> None:
    story = new_story(32)
    feed(engine, story.opened())
    before = snapshot(engine)
    with engine.begin() as connection:
        read_model_version.state(connection, VERSION + 1)
    try:
        with pytest.raises(read_model_version.MadeByNewerVersion):
            feed(engine, [story.tried("positive", ["positive", ""], story.new_id())])
        assert snapshot(engine) == before
    finally:
        with engine.begin() as connection:
            read_model_version.state(connection, VERSION)
