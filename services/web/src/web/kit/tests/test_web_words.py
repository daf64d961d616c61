"""Numbers, words, refusals and notices as pages print them."""

import re
from datetime import UTC, datetime

import pytest
from dynabench_client import ProblemError, UnreachableError
from dynabench_client.results.annotation import Task
from dynabench_client.results.leaderboard import ProjectedRate, Rate
from flask import render_template_string
from web.kit import numbers, words
from web.kit.configuration import TaskRules, task_rules
from web.kit.flash_messages import flash_message
from web.kit.language import capitalised
from web.kit.problems import problem_view
from web_fake_loop import Loop
from web_fake_platform import FakePlatform
from web_visiting import pages_over
from werkzeug.exceptions import NotFound

LABELS = ("negative", "neutral", "positive")


def rules(**changes: object) -> TaskRules:
    document = Loop().task("sentiment")
    document["configuration"].update(changes)
    return task_rules(Task.blank(**document))


def test_numbers_as_they_are_printed() -> None:
    assert numbers.count(1204) == "1,204"
    assert numbers.count(None) == "–"
    assert numbers.percent(0.3339) == "33.4\u00a0%"
    assert numbers.interval(0.2288, 0.2884) == "22.9–28.8"
    assert numbers.interval(None, 0.3) == ""
    assert numbers.milliseconds(118.2) == "118\u00a0ms"
    assert numbers.milliseconds(12_400) == "12\u00a0s"
    assert numbers.seconds(0.2) == "1\u00a0s"
    assert numbers.seconds(600) == "10\u00a0minutes"
    moment = numbers.moment(datetime(2026, 1, 8, 14, 2, tzinfo=UTC))
    assert moment
    assert moment.words == "8 Jan 14:02"


def test_a_rate_says_why_something_is_missing() -> None:
    view = numbers.rate(Rate.blank(value=0.2, n=4, reason="no interval: under 5 annotators"))
    assert (view.value, view.interval, view.note) == ("20.0\u00a0%", "", "no interval: under 5 annotators")
    assert (
        numbers.rate(ProjectedRate.blank(value=0.2, not_checked=("not_fooled",))).note
        == "not checked: not fooled"
    )
    assert not numbers.rate(Rate.blank(reason="no tries")).has_value


def test_every_verdict_has_a_word_a_sign_and_a_style_of_its_own() -> None:
    known = [words.verdict(name) for name in ("fooled", "not_fooled", "undecided", "unknown")]
    assert [word.text for word in known] == ["Fooled", "Not fooled", "You decide", "No verdict"]
    assert len({word.style for word in known}) == len({word.sign for word in known}) == 4
    assert words.verdict("brand_new").text == "Brand new"


def test_a_resolution_says_with_whom_people_agree() -> None:
    """Authors read `you`; the decision of one person is not called an agreement."""
    known = (words.RESOLUTIONS, words.OWN_RESOLUTIONS, words.DECISIONS)
    shown = [words.resolution("incorrect", each) for each in known]
    assert [word.text for word in shown if word] == [
        "People disagree with the author",
        "People disagree with you",
        "The author is wrong",
    ]
    assert words.resolution(None) is None


def test_a_label_keeps_its_colour() -> None:
    shown = words.labels(LABELS, ("neutral",), with_keys=True)
    assert [label.key for label in shown] == ["1", "2", "3"]
    assert [label.is_chosen for label in shown] == [False, True, False]
    assert words.label("positive", LABELS).style == shown[2].style
    assert words.label("mixed", LABELS).style == "label-other"


@pytest.mark.parametrize(
    ("ensemble", "targets", "words_of_it"),
    [
        ("any", 2, "You win if at least one of the 2 models is wrong."),
        ("all", 3, "You win if all 3 models are wrong."),
        ({"at_least": 2}, 3, "You win if at least 2 of the 3 models are wrong."),
        ("any", 1, ""),
    ],
)
def test_the_rule_of_an_ensemble_in_words(ensemble: object, targets: int, words_of_it: str) -> None:
    assert rules(ensemble=ensemble).rule(targets) == words_of_it


def test_a_refusal_keeps_what_its_reader_needs() -> None:
    error = ProblemError(
        503,
        "/problems/verdict-undecidable",
        "No verdict just now",
        "Too few models answered.",
        remedy="Nothing was stored. Try again in 12 s.",
        request_id="r-1",
        retry_after=12,
    )
    view = problem_view(error, "own")
    assert (view.remedy, view.wait) == ("Nothing was stored.", "Try again in 12\u00a0s.")
    assert (view.request_id, view.is_temporary) == ("r-1", True)


def test_a_field_of_the_body_is_a_field_of_the_form() -> None:
    error = ProblemError(422, "/problems/input-unusable", "Unusable input", "Blank.", field="input.text")
    assert problem_view(error).field == "input.text"


def test_a_service_that_is_away_is_named() -> None:
    view = problem_view(UnreachableError("http://h/api/annotation/v1/tasks", "connection refused"))
    assert view.status == 503
    assert "playing" in view.detail


def test_unknown_errors_tell_nothing_of_the_inside() -> None:
    view = problem_view(RuntimeError("secret"), "r-2")
    assert (view.status, view.request_id) == (500, "r-2")
    assert "secret" not in view.detail
    assert problem_view(NotFound()).status == 404


def test_flash_messages_come_from_our_own_list() -> None:
    shown = flash_message("retracted")
    assert shown
    assert shown.words.startswith("Your text is retracted")
    assert flash_message("<b>anything</b>") is None


@pytest.mark.parametrize(
    ("text", "raised"),
    [
        ("line 4, of YAML", "Line 4, of YAML"),
        ("⟦lîné⟧", "⟦Lîné⟧"),
        ("4 lines", "4 lines"),
        ("", ""),
        ("–", "–"),
    ],
)
def test_the_first_letter_is_raised_and_no_other(text: str, raised: str) -> None:
    assert capitalised(text) == raised


@pytest.mark.parametrize(
    ("view", "shown"),
    [
        (
            numbers.RateView("20 %", "", "4", "no interval: under 5 annotators", 0.2),
            '(<abbr title="no interval: under 5 annotators">',
        ),
        (numbers.RateView("20 %", "10–30", "4", "not checked: not fooled", 0.2), "(not checked: not fooled)"),
        (numbers.RateView(note="no tries"), "no tries"),
    ],
)
def test_the_reason_for_a_missing_interval_stands_in_a_tooltip(
    view: numbers.RateView, shown: str, fake: FakePlatform
) -> None:
    with pages_over(fake).test_request_context("/", headers={"Accept-Language": "en"}):
        page = render_template_string("{% from 'kit/macros.html' import rate %}{{ rate(view) }}", view=view)
    assert shown in page
    assert (view.note in re.sub("<[^>]*>", "", page)) is ("<abbr" not in shown)
