"""A validator's agreement with the others."""

from dynabench_tasks.statistics.rates import independent_rate
from dynabench_tasks.values import to_text
from dynabench_tasks.votes import VoteAnswer, VoteKind
from validation.domain.agreement import NOTHING_COMPARES, BesideOthers, agreement_with_others
from validation.domain.rules import read_rules

NEGATIVE, POSITIVE = VoteAnswer(VoteKind.LABEL, "negative"), VoteAnswer(VoteKind.LABEL, "positive")
CONTEXT = [{"name": "passage", "type": "string"}]
FLAG = VoteAnswer(VoteKind.FLAG)
LABEL = {"name": "label", "type": "multiclass", "labels": ["negative", "positive"]}
RULES = read_rules({"context": CONTEXT, "input": [LABEL], "output": [LABEL]})
ANSWER = {"name": "answer", "type": "span", "of": "passage"}
SPAN_RULES = read_rules({"context": CONTEXT, "input": [ANSWER], "output": [ANSWER]})


def span(text: str) -> VoteAnswer:
    return VoteAnswer(VoteKind.LABEL, to_text({"start": 0, "end": len(text), "text": text}))


def test_own_votes_are_compared_with_what_most_others_say() -> None:
    votes = [
        BesideOthers(NEGATIVE, [NEGATIVE, NEGATIVE], RULES),
        BesideOthers(POSITIVE, [NEGATIVE, POSITIVE, NEGATIVE], RULES, times=3),
        BesideOthers(FLAG, [FLAG], RULES, times=2),
        BesideOthers(NEGATIVE, [POSITIVE], RULES),
    ]
    assert agreement_with_others(votes) == independent_rate(3, 7, NOTHING_COMPARES)


def test_without_others_or_with_a_tie_there_is_nothing_to_compare() -> None:
    votes = [BesideOthers(NEGATIVE, [], RULES), BesideOthers(NEGATIVE, [NEGATIVE, POSITIVE], RULES)]
    assert agreement_with_others(votes) == independent_rate(0, 0, NOTHING_COMPARES)


def test_a_span_need_not_be_the_same_to_say_the_same() -> None:
    others = [span("the old red lighthouse"), span("a harbour")]
    same = span("old red lighthouse")
    assert agreement_with_others([BesideOthers(same, others[:1], SPAN_RULES)]) == independent_rate(
        1, 1, NOTHING_COMPARES
    )
    assert agreement_with_others([BesideOthers(same, [others[1]], SPAN_RULES)]) == independent_rate(
        0, 1, NOTHING_COMPARES
    )
