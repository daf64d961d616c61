"""The shares of one example's votes in the figures; shares add up."""

from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

import pytest
from dynabench_tasks.resolution import Resolution
from dynabench_tasks.statistics.agreement import agreement
from dynabench_tasks.statistics.vote_table import option_pattern, table_of
from dynabench_tasks.values import to_text
from dynabench_tasks.votes import VoteAnswer, VoteKind
from hypothesis import given
from hypothesis import strategies as st
from validation.domain.counted_votes import Decided, beside_others, count_votes
from validation.domain.groups import NOBODY, GroupKind, groups_of
from validation.domain.rules import ValidationRules, read_rules
from validation.domain.statistics.vote_sums import (
    Basis,
    Measure,
    SumKey,
    vote_table,
)

CONTEXT = [{"name": "passage", "type": "string"}]
FIXED = {"policy": {"fixed": {"votes": 3, "agree": 2}}}
ADAPTIVE = {"policy": {"adaptive": {"agree": 2, "max_votes": 3}}}
MULTICLASS = {"name": "label", "type": "multiclass", "labels": ["negative", "neutral", "positive"]}
MULTILABEL = {**MULTICLASS, "type": "multilabel"}
SPAN = {"name": "answer", "type": "span", "of": "passage"}
FLAG = VoteAnswer(VoteKind.FLAG)
HOUSE, RED_HOUSE, SEA = "the old house by", "the old house", "sea"


def rules(claimed: Mapping[str, Any], **validation: Any) -> ValidationRules:
    return read_rules(
        {
            "context": CONTEXT,
            "input": [claimed],
            "output": [claimed],
            "validation": validation,
        }
    )


def label(*chosen: str) -> VoteAnswer:
    if chosen == ("flag",):
        return FLAG
    return VoteAnswer(VoteKind.LABEL, chosen[0] if len(chosen) == 1 else to_text(sorted(chosen)))


def labels(words: str) -> list[VoteAnswer]:
    return [label(word) for word in words.split()]


def span(text: str) -> VoteAnswer:
    return VoteAnswer(VoteKind.LABEL, to_text({"start": 0, "end": len(text), "text": text}))


def judgement(word: str) -> VoteAnswer:
    return VoteAnswer(VoteKind.JUDGEMENT, word)


def counted(
    votes: Sequence[VoteAnswer], by: ValidationRules, decided: Decided | None = None
) -> dict[SumKey, int]:
    return dict(count_votes(votes, by, decided or Decided()).shares())


def test_a_flag_is_an_option_like_another() -> None:
    sums = counted(labels("negative flag flag"), rules(MULTICLASS, **FIXED))
    assert sums[SumKey(Measure.OPTION, 3, "flag")] == 2
    assert sums[SumKey(Measure.PAIRS, 3)] == 2
    assert sums[SumKey(Measure.LARGEST_CAMP, 2)] == 1


def test_a_set_of_labels_is_one_option_as_a_whole() -> None:
    votes = [label("negative", "neutral"), label("neutral", "negative"), label("negative", "positive")]
    sums = counted(votes, rules(MULTILABEL, **FIXED))
    assert sums[SumKey(Measure.OPTION, 3, to_text(["negative", "neutral"]))] == 2
    assert sums[SumKey(Measure.PAIRS, 3)] == 2


def test_spans_say_the_same_or_not_and_are_no_options() -> None:
    votes = [span(HOUSE), span(RED_HOUSE), span(SEA), FLAG]
    gold = Decided(Resolution.NO_CLAIM, (span(HOUSE).option, span(RED_HOUSE).option))
    sums = counted(votes, rules(SPAN, **FIXED), gold)
    assert sums[SumKey(Measure.PAIRS, 4)] == 2
    assert sums[SumKey(Measure.MARKED)] == 1
    assert sums[SumKey(Measure.LARGEST_CAMP, 2)] == 1
    assert sums[SumKey(Measure.EQUAL_GOLD)] == 2
    assert not [key for key in sums if key.measure in {Measure.OPTION, Measure.GOLD}]


def test_later_votes_of_an_adaptive_policy_are_counted_but_not_compared() -> None:
    sums = counted(labels("negative positive negative"), rules(MULTICLASS, **ADAPTIVE))
    assert (sums[SumKey(Measure.EXAMPLES, 3)], sums[SumKey(Measure.FIRST_EXAMPLES, 2)]) == (1, 1)
    assert sums[SumKey(Measure.PAIRS, 3)] == 2
    assert SumKey(Measure.FIRST_PAIRS, 2) not in sums
    assert sums[SumKey(Measure.ADAPTIVE)] == 1


@pytest.mark.parametrize(
    ("mode", "votes", "decided", "gold", "equal"),
    [
        ("label", labels("negative negative neutral"), Decided(None), None, None),
        (
            "label",
            labels("negative negative neutral"),
            Decided(Resolution.INCORRECT, ("negative",), "neutral"),
            "negative",
            2,
        ),
        # The owner decided otherwise: the decision is the gold.
        (
            "label",
            labels("negative negative neutral"),
            Decided(Resolution.CORRECT, ("neutral",), "neutral"),
            "neutral",
            1,
        ),
        # An option that is no label of the task, a flag and a dispute leave no gold.
        ("label", labels("flag flag neutral"), Decided(Resolution.FLAGGED, (), "neutral"), None, None),
        # Judgements name no label: where they confirm the claim, it is the gold.
        (
            "judgement",
            [judgement("correct"), judgement("incorrect"), judgement("correct")],
            Decided(Resolution.CORRECT, (), "positive"),
            "positive",
            2,
        ),
        ("judgement", [judgement("incorrect")] * 2, Decided(Resolution.INCORRECT, (), "neutral"), None, None),
    ],
)
def test_what_became_gold(
    mode: str, votes: list[VoteAnswer], decided: Decided, gold: str | None, equal: int | None
) -> None:
    sums = counted(votes, rules(MULTICLASS, vote=mode, **FIXED), decided)
    assert [key.option for key in sums if key.measure is Measure.GOLD] == ([gold] if gold else [])
    assert sums.get(SumKey(Measure.EQUAL_GOLD)) == equal


@pytest.mark.parametrize(
    ("policy", "words", "expected"),
    [
        (FIXED, "negative", "?"),
        (FIXED, "negative negative positive", "half half no"),
        (FIXED, "negative positive", "no no"),
        # If the others are split evenly, a vote counts half if one of their largest camps says the same.
        (FIXED, "negative positive neutral", "no no no"),
        (FIXED, "negative negative positive positive negative", "half half no no half"),
        (FIXED, "negative negative negative positive", "yes yes yes no"),
        # Under an adaptive policy each of the first two is held against the other, and later ones against nobody.
        (ADAPTIVE, "negative positive negative", "no no ?"),
        (ADAPTIVE, "negative negative", "yes yes"),
    ],
)
def test_a_vote_beside_the_others(policy: dict[str, Any], words: str, expected: str) -> None:
    votes = labels(words)
    found = [
        ("no", "half", "yes")[each.same] if each.compared else "?"
        for each in beside_others(votes, rules(MULTICLASS, **policy))
    ]
    assert found == expected.split()


EXAMPLES = st.lists(
    st.lists(st.sampled_from(["negative", "neutral", "positive", "flag"]), min_size=1, max_size=5),
    max_size=12,
)


@given(EXAMPLES, EXAMPLES)
def test_sums_of_two_groups_add_up_to_those_of_both(one: list[list[str]], other: list[list[str]]) -> None:
    by = rules(MULTICLASS, **FIXED)

    def sums(examples: list[list[str]]) -> Counter[SumKey]:
        total: Counter[SumKey] = Counter()
        for words in examples:
            total.update(counted([label(word) for word in words], by))
        return total

    both = sums([*one, *other])
    assert sums(one) + sums(other) == both
    assert +(both - sums(other)) == sums(one)
    for basis, most in ((Basis.ALL_VOTES, None), (Basis.FIRST_TWO_VOTES, 2)):
        patterns = [option_pattern(words[:most]) for words in [*one, *other]]
        assert agreement(vote_table(both, basis)) == agreement(table_of((pattern, 1) for pattern in patterns))


def test_the_groups_of_an_example() -> None:
    segment_id = UUID(int=7)
    groups = groups_of(
        segment_id=segment_id,
        targets=["one", "two"],
        condition="prompt",
        cohort="crowd",
        tags=["irony", "irony"],
        created_at=datetime(2027, 1, 3, 23, 59, tzinfo=UTC),
    )
    assert sorted(groups) == [
        (GroupKind.COHORT, "crowd"),
        (GroupKind.CONDITION, "prompt"),
        (GroupKind.ROUND, ""),
        (GroupKind.SEGMENT, str(segment_id)),
        (GroupKind.TAG, "irony"),
        (GroupKind.TARGET, "one"),
        (GroupKind.TARGET, "two"),
        (GroupKind.WEEK, "2026-W53"),
    ]


@pytest.mark.parametrize("segment_id", [None, NOBODY])
def test_an_example_is_in_no_group_that_it_has_nothing_of(segment_id: UUID | None) -> None:
    groups = groups_of(
        segment_id=segment_id,
        targets=[],
        condition="",
        cohort=None,
        tags=[],
        created_at=datetime(2026, 1, 5, tzinfo=UTC),
    )
    assert groups == ((GroupKind.ROUND, ""), (GroupKind.WEEK, "2026-W02"))
