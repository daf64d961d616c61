"""The queue, a case, validators and known answers in print."""

from typing import Any

import pytest
import web_fake_standing as figures
from dynabench_client.results.annotation import Example
from dynabench_client.results.validation import ExampleVotes, GoldItem, Validator, WorkItem
from web.kit.configuration import rules_of
from web.kit.isolation import name
from web.owner_work.case_view import case_view, decision_form
from web.owner_work.gold_view import check_questions, gold_rows
from web.owner_work.options import option_view, posterior_words
from web.owner_work.queue_view import filters_of, work_item_view
from web.owner_work.validators_view import validator_rows

LABEL = {"name": "label", "type": "multiclass", "label": "Label", "labels": ["no", "yes"]}
TEXT = {"name": "text", "type": "string", "label": "Your text"}
ANSWER = {"name": "answer", "type": "span", "label": "Answer", "of": "passage"}
LABELLED = rules_of(
    {"input": [TEXT, LABEL], "output": [LABEL], "validation": {"options": ["no", "yes", "mixed"]}}, "x"
)
MARKED = rules_of(
    {
        "context": [{"name": "passage", "type": "string"}],
        "input": [TEXT, ANSWER],
        "output": [ANSWER],
        "validation": {},
    },
    "x",
)


@pytest.mark.parametrize(
    ("option", "text"),
    [("yes", "yes"), ("mixed", "mixed"), ("never heard of", "never heard of")],
)
def test_an_option_is_shown_as_a_label(option: str, text: str) -> None:
    shown = option_view(option, LABELLED, "label").value
    assert shown
    assert shown.text == text


def test_a_flag_is_a_word_and_a_span_its_text() -> None:
    assert option_view("flag", LABELLED, "label").flag
    span = '{"end":5,"start":0,"text":"Orsa."}'
    shown = option_view(span, MARKED, "label").value
    assert shown
    assert shown.text == "Orsa."
    broken = option_view("{broken", MARKED, "label").value
    assert broken
    assert broken.text == "{broken"


def test_an_item_says_its_other_reasons_beside_its_resolution() -> None:
    item = WorkItem.blank(
        **{
            "example_id": "e",
            "input": {"text": "So so."},
            "claimed": "no",
            "resolution": "flagged",
            "kinds": ["flagged", "appealed", "moonstruck"],
            "votes": [{"option": "flag", "count": 2}],
            "posterior": {"label": "yes", "p": 0.617},
        }
    )
    view = work_item_view(item, LABELLED, "label")
    assert view.kinds == ["Appealed", "Moonstruck"]
    assert (view.posterior, view.summary) == (name("yes") + ", 61.7\u00a0%", "So so.")
    assert posterior_words(None, LABELLED, "label") == ""


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ({"kind": "disputed", "claimed": "no"}, {"kind": "disputed", "claimed": "no"}),
        ({"kind": "made-up", "disagreement": "author", "x": "y"}, {"disagreement": "author"}),
        ({"claimed": ""}, {}),
    ],
)
def test_filters_are_those_that_the_queue_knows(given: dict[str, str], kept: dict[str, str]) -> None:
    assert filters_of(given) == kept


def test_a_case_shows_votes_with_reasons_appeal_and_decision() -> None:
    document = figures.votes_on_a_case()
    decided = {"resolution": "correct", "reason": "It is sarcasm.", "at": "2026-01-08T12:00:00Z"}
    votes = ExampleVotes.blank(**{**document, "adjudication": decided})
    example = Example.blank(**{"example_id": "e", "round_id": "r", "input": {"text": "x"}})
    view = case_view(example, votes, LABELLED, "label")
    assert [vote.judged for vote in view.votes] == ["agrees with the author", "disagrees with the author", ""]
    assert view.votes[1].corrected
    assert view.votes[2].reason == "No sense."
    assert view.appeal
    assert view.decided
    assert view.decided.reason == "It is sarcasm."


def test_a_decision_is_chosen_judged_or_marked() -> None:
    labelled = decision_form(LABELLED, "label", {}, "yes")
    assert [(option.name, option.key, option.is_chosen) for option in labelled.options] == [
        ("no", "1", False),
        ("yes", "2", True),
        ("mixed", "3", False),
    ]
    judged = decision_form(MARKED, "judgement", {})
    assert [option.name for option in judged.options] == ["correct", "incorrect"]
    marked = decision_form(MARKED, "label", {}, "flag")
    assert (marked.options, marked.is_flag, marked.markable) == ([], True, {"passage": "passage-passage"})
    assert marked.answer


def test_who_appeals_stands_first() -> None:
    rows = validator_rows([Validator.blank(**each) for each in figures.validators()])
    assert [row.state.text for row in rows] == ["Paused", "Active", "Warned"]
    assert rows[0].appeal
    assert rows[0].gold.note == "under 5 answers"


def test_a_check_asks_for_the_claim_only_where_people_judge_it() -> None:
    asked = [field.control for field in check_questions(LABELLED, "label", {})]
    assert asked == ["input.text", "check.answer"]
    judged = [field.control for field in check_questions(LABELLED, "judgement", {})]
    assert judged == ["input.text", "input.label", "check.answer"]


def test_retired_items_say_why() -> None:
    item: dict[str, Any] = {**figures.gold()[0], "retirement": "failed_often"}
    row = gold_rows([GoldItem.blank(**item)], LABELLED, "label")[0]
    assert (row.is_retired, row.retirement) == (True, "people keep failing it")
