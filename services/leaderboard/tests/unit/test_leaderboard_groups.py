"""Groups of a try, and the counts of examples in them."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta, timezone

import pytest
from dynabench.validation.v1 import validation_pb2
from dynabench_common.events.cloud_events import Event
from dynabench_events import decode
from leaderboard.domain.counting_rule import DEFAULT_RULE, CountingRule, counting_rule
from leaderboard.domain.example_counts import example_count_shares
from leaderboard.domain.facts import Example
from leaderboard.domain.groups import AuthorSums, group_author_shares, group_shares, week
from leaderboard.domain.tally import NOBODY, counted

from services.leaderboard.tests.conftest import Story

CONTEXT = [{"name": "passage", "type": "string"}]
NewStory = Callable[..., Story]
LABEL = {"name": "label", "type": "multiclass", "labels": ["negative", "neutral", "positive"]}
LABELS = counting_rule({"context": CONTEXT, "input": [LABEL], "output": [LABEL]})
LABEL_SET = {**LABEL, "type": "multilabel"}
LABEL_SETS = counting_rule({"context": CONTEXT, "input": [LABEL_SET], "output": [LABEL_SET]})


def known_from(*events: Event) -> Example:
    known = Example(events[0].aggregate_id)
    for event in events:
        known = known.with_event(event.aggregate_version, decode(event.message))
    return known


@pytest.mark.parametrize(
    ("moment", "expected"),
    [
        (datetime(2026, 3, 2, tzinfo=UTC), "2026-W10"),
        (datetime(2026, 12, 31, tzinfo=UTC), "2026-W53"),
        (datetime(2027, 1, 1, tzinfo=UTC), "2026-W53"),
        (datetime(2026, 3, 2, 0, 30, tzinfo=timezone(timedelta(hours=2))), "2026-W09"),
    ],
)
def test_weeks_are_iso_weeks_in_utc(moment: datetime, expected: str) -> None:
    assert week(moment) == expected


def test_a_try_is_in_the_group_of_each_tag_and_of_nothing_it_lacks(new_story: NewStory) -> None:
    story = new_story()
    tried = story.tried("negative", ["positive", ""], story.new_id(), tags=["news", "sport", "news"])
    found = {(key.dimension, key.name) for key, _ in group_shares(counted(known_from(tried), DEFAULT_RULE))}
    assert found == {("cohort", "volunteer"), ("tag", "news"), ("tag", "sport"), ("week", "2026-W10")}


def test_authors_sums_are_those_of_the_rule(new_story: NewStory) -> None:
    story = new_story()
    tried = story.tried("negative", ["positive", ""], cohort="", condition="prompt")
    resolved = story.resolved(tried, validation_pb2.RESOLUTION_CORRECT, "negative")
    found = dict(group_author_shares(counted(known_from(tried, resolved), DEFAULT_RULE)))
    assert {(key.dimension, key.author_id) for key in found} == {("condition", NOBODY), ("week", NOBODY)}
    assert set(found.values()) == {AuthorSums(1, 1, 1, 1, 1, 1, 1, 1, 0, 0)}


def example_counts(example: Example, rule: CountingRule) -> set[tuple[str, str]]:
    return {(key.kind, key.name) for key, _ in example_count_shares(counted(example, rule))}


def test_claims_golds_and_outcomes_are_counted(new_story: NewStory) -> None:
    story = new_story()
    tried = story.tried("negative", ["positive", "negative"], story.new_id())
    against = story.resolved(tried, validation_pb2.RESOLUTION_INCORRECT, "neutral")
    resolved = known_from(tried, against)
    assert example_counts(known_from(tried), LABELS) == {("claimed", "negative")}
    assert example_counts(resolved, LABELS) == {
        ("claimed", "negative"), ("gold", "neutral"), ("outcome", "incorrect")
    }  # fmt: skip
    assert example_counts(resolved, DEFAULT_RULE) == {("outcome", "incorrect")}
    assert example_counts(known_from(tried, against, story.retracted(tried)), LABELS) == set()
    assert example_counts(known_from(tried, against, story.unresolved(tried, 4)), LABELS) == {
        ("claimed", "negative")
    }


def test_of_a_set_of_labels_each_counts(new_story: NewStory) -> None:
    story = new_story()
    tried = story.tried('["culture","economy"]', ["[]", "[]"], story.new_id())
    labels = example_counts(known_from(tried), LABEL_SETS)
    assert labels == {("claimed", "culture"), ("claimed", "economy")}


def test_a_flag_is_no_gold_even_if_it_names_one(new_story: NewStory) -> None:
    story = new_story()
    tried = story.tried("negative", ["positive", "negative"], story.new_id())
    flagged = story.resolved(tried, validation_pb2.RESOLUTION_FLAGGED, golds=["negative"])
    assert example_counts(known_from(tried, flagged), LABELS) == {
        ("claimed", "negative"),
        ("outcome", "flagged"),
    }
