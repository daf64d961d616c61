"""Headlines, checks and streaks in words."""

import pytest
from dynabench_client.results.annotation import Example
from web.create.outcome import checks, headline, streak
from web.kit.answers import AnswerView
from web.kit.configuration import TaskRules, rules_of


def answers(wrong: int, right: int, missing: int = 0) -> list[AnswerView]:
    given = [*[(True, "")] * wrong, *[(False, "")] * right, *[(False, "deadline")] * missing]
    return [
        AnswerView(f"model-{number}", None, None, [], "", is_wrong, False, "", reason)
        for number, (is_wrong, reason) in enumerate(given)
    ]


def rules(**document: object) -> TaskRules:
    return rules_of(document, "a-task")


@pytest.mark.parametrize(
    ("verdict", "wrong", "right", "missing", "words"),
    [
        ("fooled", 1, 0, 0, "You fooled the model"),
        ("fooled", 2, 0, 0, "You fooled both models"),
        ("fooled", 3, 0, 0, "You fooled all 3 models"),
        ("fooled", 1, 1, 0, "You fooled 1 of 2 models"),
        ("fooled", 1, 0, 1, "You fooled the model"),
        ("not_fooled", 0, 1, 0, "The model got it right"),
        ("not_fooled", 0, 2, 0, "Both models got it right"),
        ("not_fooled", 0, 4, 0, "All 4 models got it right"),
        ("not_fooled", 1, 2, 0, "Only 1 of 3 models was fooled"),
        ("not_fooled", 2, 1, 0, "Only 2 of 3 models were fooled"),
        ("not_fooled", 0, 0, 2, ""),
        ("undecided", 0, 2, 0, ""),
        ("unknown", 0, 0, 1, ""),
    ],
)
def test_the_headline_names_the_models_that_were_fooled(
    verdict: str, wrong: int, right: int, missing: int, words: str
) -> None:
    assert headline(verdict, answers(wrong, right, missing)) == words


@pytest.mark.parametrize(
    ("policy", "words"),
    [
        (None, "Two people will check it."),
        ({"adaptive": {"agree": 1, "max_votes": 3}}, "1 person will check it."),
        ({"fixed": {"votes": 5, "agree": 3}}, "5 people will check it."),
    ],
)
def test_the_people_who_check_follow_from_the_policy(policy: object, words: str) -> None:
    assert checks(rules(validation={"policy": policy} if policy else {})) == words


def test_a_streak_ends_at_the_first_miss_or_retraction() -> None:
    hit, miss = Example.blank(verdict="fooled"), Example.blank(verdict="not_fooled")
    retracted = Example.blank(verdict="fooled", retracted_at="2026-01-06T10:00:00Z")
    assert streak([hit, hit, hit, miss, hit]) == "3 in a row"
    assert [streak(tries) for tries in ([], [hit], [hit, miss, hit], [hit, retracted, hit], [miss])] == [
        ""
    ] * 5
