"""A validator's agreement with the others."""

from dynabench_common.values import to_text
from validation.domain.agreement import Agreement, agreement_with_others
from validation.domain.answers import Answer, VoteKind
from validation.domain.rules import read_rules

NEGATIVE, POSITIVE = Answer(VoteKind.LABEL, "negative"), Answer(VoteKind.LABEL, "positive")
FLAG = Answer(VoteKind.FLAG)
LABEL = {"name": "label", "type": "multiclass", "labels": ["negative", "positive"]}
RULES = read_rules({"input": [LABEL], "output": [LABEL]})
ANSWER = {"name": "answer", "type": "span", "of": "passage"}
SPAN_RULES = read_rules({"input": [ANSWER], "output": [ANSWER]})


def span(text: str) -> Answer:
    return Answer(VoteKind.LABEL, to_text({"start": 0, "end": len(text), "text": text}))


def test_own_votes_are_compared_with_what_most_others_say() -> None:
    votes = [
        (NEGATIVE, [NEGATIVE, NEGATIVE], RULES),
        (POSITIVE, [NEGATIVE, POSITIVE, NEGATIVE], RULES),
        (FLAG, [FLAG], RULES),
        (NEGATIVE, [POSITIVE], RULES),
    ]
    assert agreement_with_others(votes) == Agreement(0.5, 4)


def test_without_others_or_with_a_tie_there_is_nothing_to_compare() -> None:
    votes = [(NEGATIVE, [], RULES), (NEGATIVE, [NEGATIVE, POSITIVE], RULES)]
    assert agreement_with_others(votes) == Agreement(None, 0)


def test_a_span_need_not_be_the_same_to_say_the_same() -> None:
    others = [span("the old red lighthouse"), span("a harbour")]
    same = span("old red lighthouse")
    assert agreement_with_others([(same, others[:1], SPAN_RULES)]) == Agreement(1.0, 1)
    assert agreement_with_others([(same, [others[1]], SPAN_RULES)]) == Agreement(0.0, 1)
