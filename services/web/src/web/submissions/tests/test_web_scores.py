"""Evaluations on the pages of submissions, of models, and on their own pages."""

import re
from html import unescape
from typing import Any
from uuid import UUID

import pytest
from web_fake_evaluations import BASELINE, MODEL, evaluation, value
from web_fake_models import SUBMISSION_ID
from web_fake_platform import FakePlatform
from web_visiting import Visitor

HTMX = {"HX-Request": "true"}
ONE = f"/evaluations/{UUID(int=9)}"


def section(text: str, heading: str) -> str:
    """Return a section of a page as it is read."""
    found = re.search(rf'<section[^>]*aria-labelledby="{heading}".*?</section>', text, re.DOTALL)
    assert found
    return " ".join(unescape(re.sub(r"<[^>]*>", " ", found[0])).split())


def evaluated(fake: FakePlatform, state: str, **more: Any) -> None:
    fake.models.evaluations.found = [evaluation(9, MODEL, state, **more)]


@pytest.mark.parametrize(
    ("state", "more", "words"),
    [
        ("queued", {}, "Queued number 2 in the queue"),
        ("running", {"seconds_left": None}, "Under way 3 of 11 parts answered"),
        ("running", {}, "3 of 11 parts answered, about 58 s left"),
        ("running", {"waits_for": "starting", "seconds_left": None}, "Waits for the model: starting"),
        ("finishing", {}, "Finishing"),
        ("done", {}, "Done F1, averaged over the labels 71.2 % (67.8–74.4) of 720 items"),
        ("failed", {}, "Failed The model did not answer. We caused this. Run it again."),
        ("failed", {"fault": "yours"}, "The model caused this. Submit a corrected version."),
        ("cancelled", {"reason": "Somebody cancelled it."}, "Cancelled Somebody cancelled it."),
    ],
)
def test_a_submission_says_how_far_its_evaluations_are(
    state: str, more: dict[str, Any], words: str, ada: Visitor, fake: FakePlatform
) -> None:
    evaluated(fake, state, **more)
    shown = section(ada.get(f"/submissions/{SUBMISSION_ID}").text, "evaluations-heading")
    assert words in shown
    assert "sentiment-round-2, version 1" in shown
    assert ("left" in shown) == (state == "running" and "seconds_left" not in more)


@pytest.mark.parametrize(
    ("state", "may_act", "acts"),
    [
        ("queued", True, {"cancellation"}),
        ("running", True, {"cancellation"}),
        ("failed", True, {"runs"}),
        ("cancelled", True, {"runs"}),
        ("done", True, set()),
        ("queued", False, set()),
        ("failed", False, set()),
    ],
)
def test_who_may_act_is_offered_what_the_state_allows(
    state: str, may_act: bool, acts: set[str], ada: Visitor, fake: FakePlatform
) -> None:
    evaluated(fake, state, may_act=may_act)
    for path in (f"/submissions/{SUBMISSION_ID}", ONE):
        text = ada.get(path).text
        assert set(re.findall(r'action="/evaluations/[0-9a-f-]{36}/(\w+)"', text)) == acts, path


def test_a_submission_goes_on_to_look_at_its_evaluations(ada: Visitor, fake: FakePlatform) -> None:
    part = f"/submissions/{SUBMISSION_ID}/evaluations"
    assert f'hx-get="{part}"' in ada.get(f"/submissions/{SUBMISSION_ID}").text
    first = ada.get(part, **HTMX)
    assert ada.get(part, **HTMX, **{"If-None-Match": first.headers["ETag"]}).status_code == 304
    evaluated(fake, "running")
    assert "3 of 11" in ada.get(part, **HTMX, **{"If-None-Match": first.headers["ETag"]}).text


def test_one_that_was_never_deployed_has_no_evaluations(ada: Visitor, fake: FakePlatform) -> None:
    submission_id = fake.models.add("refused")
    assert "evaluations-heading" not in ada.get(f"/submissions/{submission_id}").text
    assert "No evaluations yet" in ada.get(f"/submissions/{submission_id}/evaluations").text


def test_a_submission_is_shown_without_evaluations_when_scoring_is_away(
    ada: Visitor, fake: FakePlatform
) -> None:
    fake.fail("GET", "/api/scoring/", 503, times=9)
    answer = ada.get(f"/submissions/{SUBMISSION_ID}")
    assert answer.status_code == 200
    assert "The evaluations are not available just now" in answer.text


def test_acting_leads_back_to_where_it_was_done(ada: Visitor, fake: FakePlatform) -> None:
    evaluated(fake, "queued", may_act=True)
    back = f"/submissions/{SUBMISSION_ID}"
    ended = ada.post(f"{ONE}/cancellation", back=back)
    assert (ended.status_code, ended.headers["Location"]) == (303, f"{back}?notice=evaluation-cancelled")
    again = ada.post(f"{ONE}/runs", back="//elsewhere.example")
    assert again.headers["Location"] == f"{ONE}?notice=evaluation-runs-again"
    assert fake.models.evaluations.found[0]["state"] == "queued"


def test_what_can_not_be_done_is_said_on_the_page_of_the_evaluation(ada: Visitor, fake: FakePlatform) -> None:
    evaluated(fake, "done")
    answer = ada.post(f"{ONE}/runs")
    assert answer.status_code == 409
    assert "It is done already." in answer.text


def test_an_evaluation_tells_its_log_and_its_end(ada: Visitor, fake: FakePlatform) -> None:
    evaluated(fake, "running")
    text = section(ada.get(ONE).text, "state-heading")
    assert "waiting for the model: starting, about 10 s" in text
    assert "resumed: 1 of 11 parts answered" in text
    assert "3 of 11" in ada.get(f"{ONE}/state", **HTMX).text
    evaluated(fake, "done")
    assert ada.get(f"{ONE}/state", **HTMX).headers["HX-Refresh"] == "true"
    assert "By tag: 1 tag" in ada.get(ONE).text
    assert ada.get(f"/evaluations/{UUID(int=77)}").status_code == 404


def test_strangers_see_evaluations_of_published_models_and_can_not_act(
    visitor: Visitor, fake: FakePlatform
) -> None:
    evaluated(fake, "done")
    assert visitor.get(ONE).status_code == 200
    assert visitor.post(f"{ONE}/runs").status_code == 401


def test_a_model_shows_all_of_its_scores(visitor: Visitor) -> None:
    shown = section(visitor.get(f"/models/{MODEL}").text, "all-scores-heading")
    assert "F1, averaged over the labels 71.2 % 67.8–74.4 720 items" in shown
    assert "95.0 % too few clusters 80 items" in shown
    assert "Speed, as a ratio to the baseline's 1.40 × 1.20–1.50 7 turns" in shown
    assert "negation" in shown
    assert "2 of 720 items without a usable answer; they count as wrong: r2-7 , r2-9" in shown
    assert "to fool this model" in shown
    assert "challenge, version 1 ○ Queued number 2 in the queue" in shown


def test_a_new_metric_is_shown_by_its_name(visitor: Visitor, fake: FakePlatform) -> None:
    evaluated(fake, "done", values=[value("calibration_error", 3.0, 720, 2.0, 4.0, None)])
    assert "calibration error" in visitor.get(f"/models/{MODEL}").text


def test_a_score_stays_while_the_next_one_is_made(visitor: Visitor, fake: FakePlatform) -> None:
    fake.models.evaluations.found = [
        evaluation(11, MODEL, "running", dataset_version=2),
        evaluation(10, MODEL),
        evaluation(9, MODEL, values=[value("macro_f1", 1.0, 720, 0.5, 1.5, None)]),
    ]
    shown = section(visitor.get(f"/models/{MODEL}").text, "all-scores-heading")
    assert "71.2 %" in shown
    assert "1.0 %" not in shown
    assert "sentiment-round-2, version 2 ● Under way" in shown


def test_what_was_measured_elsewhere_is_marked(visitor: Visitor, fake: FakePlatform) -> None:
    figures = [{"metric": "throughput", "value": 20.0, "unit": "examples/s"}]
    stated = {"are_scores": True, "figures": figures}
    fake.models.evaluations.found = [evaluation(10, MODEL, prediction_only=True, external=stated)]
    shown = section(visitor.get(f"/models/{MODEL}").text, "all-scores-heading")
    assert "Measured elsewhere: its scores, speed 20.0 examples/s." in shown


def test_a_metric_without_a_value_says_why(visitor: Visitor, fake: FakePlatform) -> None:
    reason = "undefined: all items have the same label"
    fake.models.evaluations.found = [evaluation(10, MODEL, undefined={"macro_f1": reason})]
    assert reason in section(visitor.get(f"/models/{MODEL}").text, "all-scores-heading")


@pytest.mark.parametrize(
    ("name", "words"),
    [
        (BASELINE, "This model comes with the installation"),
        ("offline", "only its answers were sent. You can't try it here"),
    ],
)
def test_models_that_nobody_submitted_have_a_page_with_scores(
    name: str, words: str, visitor: Visitor
) -> None:
    answer = visitor.get(f"/models/{name}")
    assert answer.status_code == 200
    assert words in answer.text
    assert "71.2" in answer.text
    assert f"/tasks/sentiment/board/compare?first={name}&amp;dataset=" in answer.text


def test_a_model_that_nobody_knows_has_none(visitor: Visitor, fake: FakePlatform) -> None:
    assert visitor.get("/models/nobody").status_code == 404
    fake.fail("GET", "/api/scoring/", 503, times=9)
    assert visitor.get(f"/models/{BASELINE}").status_code == 404


def test_a_model_without_scores_says_how_it_comes_by_them(visitor: Visitor, fake: FakePlatform) -> None:
    fake.models.evaluations.found = []
    assert "No scores yet" in visitor.get(f"/models/{MODEL}").text
    fake.fail("GET", "/api/scoring/", 503, times=9)
    assert "The scores are not available just now" in visitor.get(f"/models/{MODEL}").text


def test_scores_on_two_datasets_are_drawn_as_dots_with_intervals(
    visitor: Visitor, fake: FakePlatform
) -> None:
    fake.models.evaluations.found = [
        evaluation(9, MODEL),
        evaluation(10, MODEL, dataset_name="challenge", target_of_round=False),
        evaluation(11, MODEL, dataset_name="suite", values=[value("accuracy", 12.0, 9, 1.0, 20.0, None)]),
    ]
    text = visitor.get(f"/models/{MODEL}").text
    chart = text.partition('<figure class="chart-figure" id="score-chart"')[2].partition("</figure>")[0]
    assert chart.count('class="dot series-accent"') == 2
    assert chart.count('class="whisker series-accent"') == 2
    told = " ".join(unescape(re.sub(r"<[^>]*>", " ", chart.partition("<tbody>")[2])).split())
    assert told.startswith("challenge no 720 71.2 % 67.8–74.4 sentiment-round-2 yes 720")
    assert "suite" not in told


def test_scores_are_not_drawn_while_the_tasks_metric_is_unknown(visitor: Visitor, fake: FakePlatform) -> None:
    """The first metric may be a ratio, which is not in percent."""
    fake.models.evaluations.found = [
        evaluation(number, MODEL, dataset_name=name, values=[value("throughput", 1.4, 7, 1.2, 1.5, None)])
        for number, name in ((9, "first"), (10, "second"))
    ]
    fake.fail("GET", "/api/annotation/v1/tasks/sentiment$", 503, times=9)
    text = visitor.get(f"/models/{MODEL}").text
    assert "1.40\u00a0×" in text
    assert "score-chart" not in text


def test_one_score_is_not_drawn(visitor: Visitor) -> None:
    assert "score-chart" not in visitor.get(f"/models/{MODEL}").text


def test_a_model_names_its_task_by_its_title(visitor: Visitor) -> None:
    for name in (MODEL, BASELINE):
        assert 'A model for <a href="/tasks/sentiment">Sentiment</a>.' in visitor.get(f"/models/{name}").text


def test_a_model_that_was_played_shows_its_fool_rate(visitor: Visitor) -> None:
    shown = section(visitor.get(f"/models/{BASELINE}").text, "all-scores-heading")
    assert "Fool rate 30.0 % of 1,204 (27.0–33.0) round 3" in shown
    assert "Fool rate" not in section(visitor.get(f"/models/{MODEL}").text, "all-scores-heading")
