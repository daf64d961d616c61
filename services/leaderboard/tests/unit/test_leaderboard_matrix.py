"""Tries that fooled several targets."""

from collections.abc import Callable
from uuid import UUID

import pytest
from dynabench.example.v1 import example_pb2
from dynabench.validation.v1 import validation_pb2
from dynabench_common.events.cloud_events import Event
from dynabench_events import decode
from leaderboard.domain.counting_rule import DEFAULT_RULE, CountingRule, counting_rule
from leaderboard.domain.facts import Example
from leaderboard.domain.matrix import Pair, Pattern, PatternCounts, PatternKey, matrix, pattern_shares
from leaderboard.domain.tally import counted

from services.leaderboard.tests.conftest import Story

CONTEXT = [{"name": "passage", "type": "string"}]
LABEL = {"name": "label", "type": "multiclass", "labels": ["negative", "neutral", "positive"]}
MAJORITY = counting_rule(
    {
        "context": CONTEXT,
        "input": [LABEL],
        "output": [LABEL],
        "validation": {"gold": "majority"},
    }
)
NewStory = Callable[..., Story]
ROUND, SEGMENT = UUID(int=1), UUID(int=2)
BOTH = '["a", "b"]'
CORRECT = validation_pb2.RESOLUTION_CORRECT


def known_from(*events: Event) -> Example:
    known = Example(events[0].aggregate_id)
    for event in events:
        known = known.with_event(event.aggregate_version, decode(event.message))
    return known


def pattern(example: Example, rule: CountingRule = DEFAULT_RULE) -> list[tuple[str, str, PatternCounts]]:
    return [(key.answered, key.fooled, counts) for key, counts in pattern_shares(counted(example, rule))]


def test_a_try_stands_under_who_answered_and_who_was_fooled(new_story: NewStory) -> None:
    story = new_story()
    tried = story.tried("negative", ["positive", ""], story.new_id())
    assert pattern(known_from(tried)) == [('["roberta"]', '["roberta"]', PatternCounts(1, 0))]
    resolved = story.resolved(tried, CORRECT, "negative")
    assert pattern(known_from(tried, resolved)) == [('["roberta"]', '["roberta"]', PatternCounts(1, 1))]


def test_an_error_of_one_target_validates_a_pattern_of_two_only_with_the_other(new_story: NewStory) -> None:
    story = new_story()
    tried = story.tried("negative", ["positive", "neutral"], story.new_id())
    resolved = story.resolved(tried, validation_pb2.RESOLUTION_INCORRECT, "neutral")
    [(_, fooled, counts)] = pattern(known_from(tried, resolved), MAJORITY)
    assert (fooled, counts) == ('["deberta", "roberta"]', PatternCounts(1, 0))


def test_a_try_that_fooled_nobody_is_a_pattern_too(new_story: NewStory) -> None:
    story = new_story()
    tried = story.tried("negative", ["negative", "negative"], story.new_id())
    resolved = story.resolved(tried, CORRECT, "negative")
    assert pattern(known_from(tried, resolved)) == [('["deberta", "roberta"]', "[]", PatternCounts(1, 0))]


@pytest.mark.parametrize("verdict", [example_pb2.VERDICT_UNDECIDED, example_pb2.VERDICT_UNKNOWN])
def test_tries_without_a_verdict_are_left_out(new_story: NewStory, verdict: example_pb2.Verdict) -> None:
    assert pattern(known_from(new_story().tried("", ["positive", "negative"], verdict=verdict))) == []


def test_retracted_tries_are_left_out(new_story: NewStory) -> None:
    story = new_story()
    tried = story.tried("negative", ["positive", "negative"])
    assert pattern(known_from(tried, story.retracted(tried))) == []


def test_a_decided_try_comes_in_as_its_author_decided(new_story: NewStory) -> None:
    story = new_story()
    tried = story.asked(["positive", "negative"])
    decided = story.decided_by_author(tried, ["deberta"])
    assert pattern(known_from(decided, tried)) == [
        ('["deberta", "roberta"]', '["deberta"]', PatternCounts(1, 0))
    ]


def kept(*rows: tuple[str, str, int, int]) -> list[tuple[PatternKey, PatternCounts]]:
    return [
        (PatternKey(ROUND, SEGMENT, answered, fooled), PatternCounts(tries, validated))
        for answered, fooled, tries, validated in rows
    ]


def test_patterns_and_pairs_are_of_the_tries_that_every_target_answered() -> None:
    rows = kept(
        (BOTH, "[]", 4, 0),
        (BOTH, '["a"]', 2, 1),
        (BOTH, '["b"]', 1, 1),
        (BOTH, BOTH, 5, 3),
        ('["a"]', '["a"]', 7, 0),
    )
    found = matrix(rows, ["b", "a"])
    assert (found.targets, found.answered_by_all, found.incomplete) == (("b", "a"), 12, 7)
    assert found.patterns == (
        Pattern(("b", "a"), 5, 3),
        Pattern((), 4, 0),
        Pattern(("a",), 2, 1),
        Pattern(("b",), 1, 1),
    )
    assert found.pairs == (Pair("b", "a", both=5, only_a=1, only_b=2, neither=4),)


def test_a_target_that_is_not_named_is_passed_over() -> None:
    found = matrix(kept(('["a", "b", "c"]', '["b", "c"]', 2, 2), (BOTH, '["b"]', 1, 0)), ["a", "b"])
    assert found.patterns == (Pattern(("b",), 3, 2),)
    assert found.incomplete == 0


def test_without_names_all_that_answered_are_meant() -> None:
    assert matrix(kept((BOTH, "[]", 1, 0)), []).targets == ("a", "b")
    assert matrix([], []) == matrix([], ())
    assert matrix([], []).pairs == ()
