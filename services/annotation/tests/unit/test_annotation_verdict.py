"""The verdict: w wrong and m missing of n targets, k needed; and which answers are wrong."""

from typing import Any

import pytest
from annotation.domain.verdict import MissingAnswer, TargetAnswer, UnaskedAnswer, decide
from dynabench_tasks.values import Value
from dynabench_tasks.verdict import Ensemble, Verdict
from dynabench_tasks.wrong_when import WrongRule
from dynabench_tasks.wrong_when.ask_annotator import AskAnnotator
from dynabench_tasks.wrong_when.exact_match import ExactMatch
from dynabench_tasks.wrong_when.token_f1 import TokenF1

ANY, ALL, TWO = Ensemble(1), Ensemble(None), Ensemble(2)
WRONG = {"w": True, "r": False, "a": None}
FOOLED, NOT_FOOLED = Verdict.FOOLED, Verdict.NOT_FOOLED


def answers(letters: str) -> tuple[TargetAnswer | MissingAnswer, ...]:
    """w: wrong, r: right, m: missing, a: the author is asked."""
    return tuple(
        MissingAnswer(f"t{n}", "deadline")
        if letter == "m"
        else TargetAnswer(f"t{n}", "positive", 0.9, {}, WRONG[letter], "sha256:m", "sha256:h", 1.0)
        for n, letter in enumerate(letters)
    )


@pytest.mark.parametrize(
    ("rule", "given", "verdict"),
    [
        # any: one wrong target is enough, whoever is missing
        (ANY, "w", FOOLED),
        (ANY, "r", NOT_FOOLED),
        (ANY, "m", None),
        (ANY, "rw", FOOLED),
        (ANY, "wm", FOOLED),
        (ANY, "rr", NOT_FOOLED),
        (ANY, "rm", None),
        (ANY, "mm", None),
        (ANY, "rrrrrrrw", FOOLED),
        # all: one right target is enough to hold, whoever is missing
        (ALL, "w", FOOLED),
        (ALL, "ww", FOOLED),
        (ALL, "wr", NOT_FOOLED),
        (ALL, "rm", NOT_FOOLED),
        (ALL, "wm", None),
        (ALL, "mm", None),
        # at least two of three
        (TWO, "wwr", FOOLED),
        (TWO, "wwm", FOOLED),
        (TWO, "wrr", NOT_FOOLED),
        (TWO, "rrm", NOT_FOOLED),
        (TWO, "wrm", None),
        (TWO, "rmm", None),
        (TWO, "wmm", None),
        # answers that only the author can judge wait for them, unless a missing one matters too
        (ANY, "a", Verdict.UNDECIDED),
        (ANY, "ar", Verdict.UNDECIDED),
        (ANY, "aw", FOOLED),
        (ANY, "am", None),
        (ALL, "ar", NOT_FOOLED),
        (ALL, "aa", Verdict.UNDECIDED),
        (TWO, "arr", NOT_FOOLED),
        (TWO, "amr", None),
        (TWO, "aar", Verdict.UNDECIDED),
        # no targets: nobody was asked
        (ANY, "", Verdict.UNDECIDED),
        (ALL, "", Verdict.UNDECIDED),
        (TWO, "", Verdict.UNDECIDED),
    ],
)
def test_the_verdict_follows_the_rule_and_waits_only_for_answers_that_matter(
    rule: Ensemble, given: str, verdict: Verdict | None
) -> None:
    assert decide(rule, answers(given)) is verdict


@pytest.mark.parametrize(
    ("claimed", "answered", "wrong"),
    [
        ("negative", "positive", True),
        ("negative", "negative", False),
        (["health", "sport"], ["health", "sport"], False),
        (["health", "sport"], ["health"], True),
        (["health"], [], True),
    ],
)
def test_exact_match_is_wrong_when_the_answer_differs(claimed: Value, answered: Value, wrong: bool) -> None:
    assert ExactMatch(("label",)).is_wrong(claimed, answered) is wrong


def span(text: str) -> dict[str, Any]:
    return {"start": 7, "end": 7 + len(text), "text": text}


@pytest.mark.parametrize(
    ("claimed", "answered", "below", "wrong"),
    [
        (span("the Eiffel Tower"), span("Eiffel tower"), 0.4, False),
        (span("in the spring of 1889"), span("1889"), 0.4, False),
        (span("in the early spring of 1889"), span("1889"), 0.4, True),
        (span("Paris"), span("London"), 0.4, True),
        (span("one two three"), span("one x y z"), 2 / 7, False),
        ("a red bus", "red bus", 1.0, False),
    ],
)
def test_token_f1_is_wrong_below_its_threshold(
    claimed: Value, answered: Value, below: float, wrong: bool
) -> None:
    assert TokenF1("answer", below).is_wrong(claimed, answered) is wrong


def test_where_the_annotator_is_asked_no_rule_tells() -> None:
    rule: WrongRule = AskAnnotator()
    assert rule.is_wrong("two", "three") is None


@pytest.mark.parametrize(("rule", "document"), [(ANY, "any"), (ALL, "all"), (TWO, {"at_least": 2})])
def test_a_rule_writes_itself_as_its_configuration_says_it(rule: Ensemble, document: object) -> None:
    assert rule.document() == document


@pytest.mark.parametrize(
    ("given", "verdict"),
    [
        pytest.param("ru", NOT_FOOLED, id="one that was right decides, whoever was not asked"),
        pytest.param("rwu", NOT_FOOLED, id="also beside a fooled one of its tier"),
        pytest.param("rmu", NOT_FOOLED, id="and beside one that gave no answer"),
        pytest.param("mu", None, id="where none was right a missing answer leaves it open"),
        pytest.param("wmu", None, id="also beside a fooled one"),
    ],
)
def test_targets_that_were_not_asked_change_no_verdict(given: str, verdict: Verdict | None) -> None:
    asked = answers(given.rstrip("u"))
    unasked = tuple(UnaskedAnswer(f"u{number}") for number in range(given.count("u")))
    assert decide(ALL, (*asked, *unasked)) == verdict
