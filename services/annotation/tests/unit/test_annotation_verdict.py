"""The verdict: w wrong and m missing of n targets, k needed; and which answers are wrong."""

import pytest
from annotation.domain.verdict import Answer, Ensemble, MissingAnswer, Verdict, decide
from annotation.domain.wrong_when.exact_match import ExactMatch

ANY, ALL, TWO = Ensemble(1), Ensemble(None), Ensemble(2)
FOOLED, NOT_FOOLED = Verdict.FOOLED, Verdict.NOT_FOOLED


def answers(letters):
    """w: wrong, r: right, m: missing."""
    return tuple(
        MissingAnswer(f"t{n}", "deadline")
        if letter == "m"
        else Answer(f"t{n}", "positive", {}, letter == "w", "sha256:m", "sha256:h", 1.0)
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
        # no targets: nobody was asked
        (ANY, "", Verdict.UNDECIDED),
        (ALL, "", Verdict.UNDECIDED),
        (TWO, "", Verdict.UNDECIDED),
    ],
)
def test_the_verdict_follows_the_rule_and_waits_only_for_answers_that_matter(rule, given, verdict):
    assert decide(rule, answers(given)) is verdict


@pytest.mark.parametrize(
    ("claimed", "answered", "wrong"),
    [
        ({"label": "negative"}, {"label": "positive"}, True),
        ({"label": "negative"}, {"label": "negative"}, False),
        ({"label": "negative"}, {}, True),
    ],
)
def test_exact_match_is_wrong_when_a_named_output_differs(claimed, answered, wrong):
    assert ExactMatch(("label",)).is_wrong(claimed, answered) is wrong


@pytest.mark.parametrize(("rule", "document"), [(ANY, "any"), (ALL, "all"), (TWO, {"at_least": 2})])
def test_a_rule_writes_itself_as_its_configuration_says_it(rule, document):
    assert rule.document() == document
