"""A task that names what this version does not know has no rates, holds nobody else up, and is taken up later."""

from collections.abc import Callable
from typing import Any
from uuid import UUID

from dynabench.validation.v1 import validation_pb2
from leaderboard.adapters.projection import look_again
from leaderboard.domain.board import Board
from leaderboard.queries.boards import Boards
from sqlalchemy import Engine, text

from services.leaderboard.tests.conftest import Story

NewStory = Callable[..., Story]
Feed = Callable[..., None]
MAJORITY: dict[str, Any] = {"validation": {"gold": "majority", "validate": "all"}}


def board(engine: Engine, round_id: UUID) -> Board:
    return Boards(engine).board(round_id)


def test_a_task_of_a_later_version_has_no_rates_and_holds_nobody_up(
    engine: Engine, new_story: NewStory, feed: Feed
) -> None:
    story, other = new_story(1), new_story(2)
    tried = story.tried("positive", ["positive", "positive"], story.new_id())
    feed(engine, [story.configured(wrong_when={"moon_phase": {}}), *story.opened()[1:], tried])
    figures = board(engine, story.round_id).figures
    assert (figures.mer.value, figures.vmer.value, figures.total.tries) == (None, None, 1)
    assert "moon_phase" in str(figures.mer.reason)
    feed(engine, other.round_of_tries(5))
    assert board(engine, other.round_id).figures.mer.value is not None


def test_a_configuration_that_waited_counts_its_examples_anew(
    engine: Engine, new_story: NewStory, feed: Feed
) -> None:
    """An older version has noted a configuration as one that it could not count by, and counted by the default."""
    story = new_story()
    tried = story.tried("positive", ["positive", "positive"], story.new_id())
    against = story.resolved(tried, validation_pb2.RESOLUTION_INCORRECT, "negative")
    feed(engine, [story.configured(**MAJORITY)])
    with engine.begin() as connection:
        connection.execute(text("UPDATE task_configuration SET waits_for = 'wrong-when rule moon_phase'"))
    feed(engine, [story.drafted(), tried, against])
    assert board(engine, story.round_id).figures.validated_errors == 0
    with engine.begin() as connection:
        assert look_again(connection) == 1
        assert look_again(connection) == 0
    assert board(engine, story.round_id).figures.validated_errors == 1
