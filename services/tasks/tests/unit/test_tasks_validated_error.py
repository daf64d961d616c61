"""Wrong answers by the golds on which votes agreed, and the effect on the round's rule."""

import json
from dataclasses import dataclass

import pytest
from dynabench_tasks.fields import Field
from dynabench_tasks.fields.multiclass import MulticlassField
from dynabench_tasks.fields.multilabel import MultilabelField
from dynabench_tasks.fields.span import SpanField
from dynabench_tasks.fields.string import StringField
from dynabench_tasks.resolution import Resolution
from dynabench_tasks.validated_error import ErrorRule, GoldPolicy
from dynabench_tasks.verdict import Ensemble, Verdict
from dynabench_tasks.wrong_when import WrongRule
from dynabench_tasks.wrong_when.ask_annotator import AskAnnotator
from dynabench_tasks.wrong_when.exact_match import ExactMatch
from dynabench_tasks.wrong_when.token_f1 import TokenF1

LABEL = MulticlassField("label", "label", ("negative", "neutral", "positive"))
TOPICS = MultilabelField("topics", "topics", ("a", "b"))
SPAN, TEXT = SpanField("answer", "answer", "passage"), StringField("answer", "answer")
EQUAL, NEAR = ExactMatch(("label",)), TokenF1("answer", 0.4)


@dataclass(frozen=True)
class Given:
    value: str
    wrong: bool = False
    is_given: bool = True


@dataclass(frozen=True)
class Resolved:
    outcome: Resolution
    golds: tuple[str, ...]


def span(text: str, start: int = 0) -> str:
    return json.dumps({"start": start, "end": start + len(text), "text": text}, ensure_ascii=False)


def majority(field: Field, rule: WrongRule, ensemble: Ensemble | None = None) -> ErrorRule:
    return ErrorRule(GoldPolicy.MAJORITY, ensemble or Ensemble(), rule, field)


@pytest.mark.parametrize(
    ("field", "rule", "value", "golds", "wrong"),
    [
        (LABEL, EQUAL, "positive", ["positive"], False),
        (LABEL, EQUAL, "positive", ["negative"], True),
        (TOPICS, EQUAL, '["a","b"]', ['["a","b"]'], False),
        # Where the text stands does not matter, and the best gold counts.
        (SPAN, NEAR, span("red lighthouse", 4), [span("the old cliff"), span("Red lighthouse.", 90)], False),
        (SPAN, NEAR, span("cliff"), [span("red lighthouse"), span("sea")], True),
        # 2 · 1 / (1 + 4) is exactly 0.4 and not under it; 2 · 1 / (1 + 5) is.
        (SPAN, NEAR, span("sea"), [span("sea by red cliff")], False),
        (SPAN, NEAR, span("sea"), [span("sea by old red cliff")], True),
        (SPAN, NEAR, span("🙂"), [span("🙂")], False),
        # An answer that is no span is compared as the text it is.
        (SPAN, NEAR, "red lighthouse", [span("red lighthouse")], False),
        (TEXT, NEAR, span("sea"), ["sea"], True),
        (TEXT, NEAR, "By the sea", ["by sea"], False),
    ],
)
def test_answers_compared_with_golds(
    field: Field, rule: WrongRule, value: str, golds: list[str], wrong: bool
) -> None:
    resolved = Resolved(Resolution.INCORRECT, tuple(golds))
    assert majority(field, rule).is_target_error(resolved, Given(value)) is wrong


@pytest.mark.parametrize("wrong", [True, False])
def test_what_the_author_decided_stands_whatever_the_golds_are(wrong: bool) -> None:
    resolved = Resolved(Resolution.CORRECT, ("positive",))
    assert majority(LABEL, AskAnnotator()).is_target_error(resolved, Given("positive", wrong)) is wrong


@pytest.mark.parametrize("resolution", [Resolution.FLAGGED, Resolution.DISPUTED])
def test_without_a_gold_nothing_is_an_error_under_majority(resolution: Resolution) -> None:
    rule, answers = majority(LABEL, EQUAL), [Given("positive", wrong=True)]
    resolved = Resolved(resolution, ("negative",))
    assert not rule.is_target_error(resolved, answers[0])
    assert not rule.is_rule_error(resolved, Verdict.FOOLED, answers)


def test_the_ensemble_counts_the_answers_that_are_wrong_by_the_gold() -> None:
    resolved = Resolved(Resolution.INCORRECT, ("neutral",))
    answers = [Given("positive"), Given("neutral"), Given("", is_given=False)]
    assert majority(LABEL, EQUAL, Ensemble(1)).is_rule_error(resolved, Verdict.NOT_FOOLED, answers)
    assert not majority(LABEL, EQUAL, Ensemble(2)).is_rule_error(resolved, Verdict.NOT_FOOLED, answers)
    assert not majority(LABEL, EQUAL, Ensemble(None)).is_rule_error(resolved, Verdict.NOT_FOOLED, answers)


def test_under_author_confirmed_gold_the_stored_verdict_decides() -> None:
    rule = ErrorRule(GoldPolicy.AUTHOR_CONFIRMED, Ensemble(), EQUAL, LABEL)
    confirmed = Resolved(Resolution.CORRECT, ("negative",))
    assert rule.is_rule_error(confirmed, Verdict.FOOLED, [])
    assert not rule.is_rule_error(confirmed, Verdict.NOT_FOOLED, [])
    assert rule.is_target_error(confirmed, Given("negative", wrong=True))
    assert not rule.is_target_error(Resolved(Resolution.INCORRECT, ()), Given("positive", wrong=True))
