"""Items whose answer is known: when they come, which, and when they are used up."""

from datetime import UTC, datetime
from uuid import RFC_4122, UUID

import pytest
from dynabench_common.identifiers import new_id
from dynabench_tasks.values import to_text
from dynabench_tasks.votes import VoteAnswer, VoteKind
from hypothesis import given
from hypothesis import strategies as st
from validation.domain.gold import (
    GoldContent,
    GoldItem,
    GoldKind,
    Retirement,
    fill_pool,
    fits,
    id_between,
    is_beyond_doubt,
    is_due,
    wants_attention_check,
)
from validation.domain.identifiers import GoldId, PersonId, TaskId
from validation.domain.rules import ValidationRules, read_rules

CONTEXT = [{"name": "passage", "type": "string"}]
NOW = datetime(2026, 1, 5, 12, 0, tzinfo=UTC)
LABEL = {"name": "label", "type": "multiclass", "labels": ["negative", "positive"]}
TEXT = {"name": "text", "type": "string"}
RULES = read_rules({"context": CONTEXT, "input": [TEXT, LABEL], "output": [LABEL]})
ANSWER = {"name": "answer", "type": "span", "of": "passage"}
SPAN_RULES = read_rules({"context": CONTEXT, "input": [ANSWER], "output": [ANSWER]})
JUDGED = read_rules(
    {
        "context": CONTEXT,
        "input": [LABEL],
        "output": [LABEL],
        "validation": {"vote": "judgement"},
    }
)


def label(option: str) -> VoteAnswer:
    return VoteAnswer(VoteKind.LABEL, option)


def span(text: str) -> str:
    return to_text({"start": 0, "end": len(text), "text": text})


@pytest.mark.parametrize(
    ("rate", "due_after"),
    [
        # After each of the first five, then every 10th, from 50 on every 20th, from 200 on every 50th.
        (0.0, [1, 2, 3, 4, 5, 10, 20, 30, 40, 60, 80, 100, 120, 140, 160, 180, 200, 250, 300]),
        # The platform's own rate, said by the task, changes nothing.
        (0.1, [1, 2, 3, 4, 5, 10, 20, 30, 40, 60, 80, 100, 120, 140, 160, 180, 200, 250, 300]),
        # A task that wants fewer gets proportionally fewer, the first five left as they are.
        (0.02, [1, 2, 3, 4, 5, 100, 250]),
    ],
)
def test_the_schedule(rate: float, due_after: list[int]) -> None:
    assert [answers for answers in range(301) if is_due(answers, rate)] == due_after


@pytest.mark.parametrize(
    ("rate", "answers", "every"),
    [(0.5, 6, 2), (0.5, 50, 4), (0.5, 200, 10), (1.0, 6, 1), (1.0, 60, 2), (1.0, 200, 5), (0.2, 10, 5)],
)
def test_a_task_that_wants_more_gets_more(rate: float, answers: int, every: int) -> None:
    due = [is_due(n, rate) for n in range(answers, answers + 2 * every)]
    assert due.count(True) == 2


def test_one_in_three_is_an_attention_check() -> None:
    assert [shown for shown in range(9) if wants_attention_check(shown)] == [2, 5, 8]


@pytest.mark.parametrize(
    ("answers", "given", "rules", "passes"),
    [
        (("negative",), label("negative"), RULES, True),
        (("negative",), label("positive"), RULES, False),
        # A flag is an answer like any other; not to know is none.
        (("negative",), VoteAnswer(VoteKind.FLAG), RULES, False),
        (("negative",), VoteAnswer(VoteKind.UNSURE), RULES, None),
        # Where people judge claims, the judgement is right or wrong.
        (("incorrect",), VoteAnswer(VoteKind.JUDGEMENT, "incorrect"), JUDGED, True),
        (("incorrect",), VoteAnswer(VoteKind.JUDGEMENT, "correct"), JUDGED, False),
        # A span passes if it agrees with any of the right ones.
        (
            (span("a harbour"), span("the old red lighthouse")),
            label(span("old red lighthouse")),
            SPAN_RULES,
            True,
        ),
        ((span("a harbour"),), label(span("old red lighthouse")), SPAN_RULES, False),
    ],
)
def test_which_answers_pass(
    answers: tuple[str, ...], given: VoteAnswer, rules: ValidationRules, passes: bool | None
) -> None:
    assert GoldContent({}, {}, "", "", answers).passes(given, rules) is passes


@pytest.mark.parametrize(
    ("said", "rules", "certain"),
    [
        ([label("negative"), label("negative")], RULES, True),
        # One vote may be a slip.
        ([label("negative")], RULES, False),
        # A vote that says otherwise leaves a doubt, whether it counted or not.
        ([label("negative"), label("negative"), label("positive")], RULES, False),
        ([label("negative"), label("negative"), VoteAnswer(VoteKind.FLAG)], RULES, False),
        ([label("negative"), label("negative"), VoteAnswer(VoteKind.UNSURE)], RULES, True),
        ([label(span("a red house")), label(span("red house"))], SPAN_RULES, True),
    ],
)
def test_which_examples_are_beyond_doubt(
    said: list[VoteAnswer], rules: ValidationRules, certain: bool
) -> None:
    assert is_beyond_doubt(said, rules) is certain


def item() -> GoldItem:
    content = GoldContent({}, {"text": "Fine."}, "positive", "", ("positive",))
    return GoldItem(GoldId(new_id()), TaskId(new_id()), GoldKind.EXAMPLE, PersonId(new_id()), 1, content, NOW)


def test_an_item_is_used_up_after_two_hundred_people() -> None:
    gold = item()
    retired = []
    for _ in range(200):
        gold.show(NOW)
        retired.append((gold.retirement, gold.retired_at))
    assert retired == [(None, None)] * 199 + [(Retirement.SHOWN_OFTEN, NOW)]


@pytest.mark.parametrize(
    ("passed", "failed", "retirement"),
    [
        # Over half of at least ten.
        (4, 6, Retirement.FAILED_OFTEN),
        (5, 5, None),
        (0, 9, None),
        (0, 10, Retirement.FAILED_OFTEN),
    ],
)
def test_an_item_that_most_people_fail_is_retired(
    passed: int, failed: int, retirement: Retirement | None
) -> None:
    gold = item()
    for answer in [True] * passed + [None] * 20 + [False] * failed:
        gold.grade(passed=answer, now=NOW)
    assert (gold.answered, gold.failed, gold.retirement) == (passed + failed, failed, retirement)


def test_a_reason_that_voids_answers_stays_and_takes_the_place_of_one_that_does_not() -> None:
    gold = item()
    gold.retire(Retirement.SHOWN_OFTEN, NOW)
    gold.retire(Retirement.WITHDRAWN, NOW)
    gold.retire(Retirement.SHOWN_OFTEN, NOW)
    assert gold.retirement is Retirement.WITHDRAWN


@pytest.mark.parametrize("retirement", list(Retirement))
def test_whose_answers_still_count(retirement: Retirement) -> None:
    """An item that was right until it was used up measures; any other may have been wrong."""
    assert retirement.voids_answers is (retirement is not Retirement.SHOWN_OFTEN)


def test_the_pool_is_filled_so_that_all_answers_come_up_alike() -> None:
    candidates = [("negative", n) for n in range(5)] + [("positive", n) for n in range(10, 12)]
    assert fill_pool([], candidates, 4) == [0, 10, 1, 11]
    assert fill_pool(["negative", "negative"], candidates, 3) == [10, 11, 0]
    assert fill_pool([], candidates, 99) == [0, 10, 1, 11, 2, 3, 4]
    assert fill_pool([], candidates, 0) == []


def test_an_item_is_shown_only_where_examples_look_like_it() -> None:
    more = {**LABEL, "labels": ["negative", "positive", "neutral"]}
    assert fits(
        RULES,
        read_rules({"context": CONTEXT, "input": [TEXT, LABEL], "output": [LABEL]}),
    )
    assert not fits(
        RULES,
        read_rules({"context": CONTEXT, "input": [TEXT, more], "output": [more]}),
    )
    assert not fits(
        RULES,
        read_rules({"context": CONTEXT, "input": [LABEL], "output": [LABEL]}),
    )
    assert not fits(RULES, JUDGED)


@given(st.uuids(version=4), st.none() | st.integers(0, 2**20))
def test_an_id_for_a_known_item_lies_between_those_of_two_examples(newer: UUID, before: int | None) -> None:
    last = newer.int >> 80
    older = None if before is None else UUID(int=max(0, last - before) << 80)
    made = id_between(older, newer)
    assert (made.version, made.variant) == (7, RFC_4122)
    first = last if older is None else older.int >> 80
    assert first <= made.int >> 80 <= last
    assert last - first < 2 or first < made.int >> 80 < last
