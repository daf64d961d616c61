"""Summaries of people's weeks: once for each week with news, also after an outage, by page and mail."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from accounts.notifications.adapters.weekly_summaries import write_summaries
from dynabench_common.testing import FixedClock
from dynabench_events.example import ExampleRetracted, VerdictDecided
from dynabench_tasks.verdict import Verdict
from sqlalchemy import Engine

from .conftest import Api
from .notice_story import Story, listed, of

DAY = 86_400


@pytest.fixture(autouse=True)
def on_a_wednesday(clock: FixedClock) -> None:
    wednesday = (2 - clock.now().weekday()) % 7
    clock.move(wednesday * DAY)


def summaries(person: Api) -> list[dict[str, Any]]:
    return [each for each in listed(person) if each["kind"] == "weekly_summary"]


def test_a_week_is_summed_up_once_with_its_outcomes(
    api: Api, story: Story, engine: Engine, clock: FixedClock
) -> None:
    ada, bob, round_id = api.new_person("ada"), api.new_person("bob"), story.open_round()
    texts = [story.written(round_id, of(ada)) for _ in range(5)]
    missed = VerdictDecided(
        example_id=texts[4].example_id,
        round_id=round_id,
        verdict=Verdict.NOT_FOOLED,
        wrong_targets=(),
        decided_at=clock.now(),
    )
    gone = ExampleRetracted(example_id=texts[3].example_id, round_id=round_id, retracted_at=clock.now())
    outcomes = ("correct", "incorrect", "flagged")
    story.tell(*texts, missed, gone)
    story.tell(*(story.resolved(text, each) for text, each in zip(texts[:3], outcomes, strict=True)))
    story.tell(story.messaged(texts[1], by_author=True), story.messaged(texts[1], by_author=False))
    write_summaries(engine, clock)
    assert summaries(ada) == []
    clock.move(7 * DAY)
    for _ in range(2):
        write_summaries(engine, clock)
    (found,) = summaries(ada)
    expected = {"tries": 5, "fooled": 3, "confirmed": 1, "incorrect": 1, "flagged": 1, "answered": 1}
    assert found["counts"] == expected
    monday = datetime.fromisoformat(found["happened_at"])
    assert (monday.weekday(), monday.hour) == (0, 0)
    assert summaries(bob) == []
    clock.move(7 * DAY)
    write_summaries(engine, clock)
    assert len(summaries(ada)) == 1


@pytest.mark.parametrize(("weeks", "number"), [(1, 1), (2, 1), (3, 0)])
def test_after_an_outage_two_weeks_are_made_up_for(
    api: Api, story: Story, engine: Engine, clock: FixedClock, weeks: int, number: int
) -> None:
    ada = api.new_person("ada")
    story.tell(story.written(story.open_round(), of(ada)))
    clock.move(weeks * 7 * DAY)
    write_summaries(engine, clock)
    assert len(summaries(ada)) == number


def test_late_events_have_an_hour(api: Api, story: Story, engine: Engine, clock: FixedClock) -> None:
    ada = api.new_person("ada")
    story.tell(story.written(story.open_round(), of(ada)))
    midnight = clock.now().astimezone(UTC).replace(hour=0, minute=0, second=0, microsecond=0)
    clock.move((midnight + timedelta(days=5) - clock.now()).total_seconds() + 3500)
    write_summaries(engine, clock)
    assert summaries(ada) == []
    clock.move(200)
    write_summaries(engine, clock)
    assert len(summaries(ada)) == 1
