"""When an answer is wrong beside the golds."""

import json

import pytest
from leaderboard.domain.facts import Answer
from leaderboard.domain.wrong_when import WrongWhen
from leaderboard.domain.wrong_when.ask_annotator import AskAnnotator
from leaderboard.domain.wrong_when.exact_match import ExactMatch
from leaderboard.domain.wrong_when.token_f1 import TokenF1

SPANS, TEXTS = TokenF1(0.4, is_span=True), TokenF1(0.4, is_span=False)


def answer(value: str, wrong: bool = False) -> Answer:
    return Answer("roberta", value, wrong, missing=False)


def span(text: str, start: int = 0) -> str:
    return json.dumps({"start": start, "end": start + len(text), "text": text}, ensure_ascii=False)


@pytest.mark.parametrize(
    ("rule", "value", "golds", "wrong"),
    [
        (ExactMatch(), "positive", ["positive"], False),
        (ExactMatch(), "positive", ["negative"], True),
        (ExactMatch(), '["a","b"]', ['["a","b"]'], False),
        # Where the text stands does not matter, and the best gold counts.
        (SPANS, span("red lighthouse", 4), [span("the old cliff"), span("Red lighthouse.", 90)], False),
        (SPANS, span("cliff"), [span("red lighthouse"), span("sea")], True),
        # 2 · 1 / (1 + 4) is exactly 0.4 and not under it; 2 · 1 / (1 + 5) is.
        (SPANS, span("sea"), [span("sea by red cliff")], False),
        (SPANS, span("sea"), [span("sea by old red cliff")], True),
        (SPANS, span("🙂"), [span("🙂")], False),
        # An answer that is no span is compared as the text it is.
        (SPANS, "red lighthouse", [span("red lighthouse")], False),
        (TEXTS, span("sea"), ["sea"], True),
        (TEXTS, "By the sea", ["by sea"], False),
    ],
)
def test_answers_beside_golds(rule: WrongWhen, value: str, golds: list[str], wrong: bool) -> None:
    assert rule.is_wrong(answer(value), golds) is wrong


@pytest.mark.parametrize("wrong", [True, False])
def test_what_the_author_decided_stands_whatever_the_golds_are(wrong: bool) -> None:
    assert AskAnnotator().is_wrong(answer("positive", wrong), ["positive"]) is wrong
