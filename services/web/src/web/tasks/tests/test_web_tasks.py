"""The page of a task: rounds with figures, models that fit, worked examples, and drafting a round."""

import pytest
from web_fake_platform import FakePlatform
from web_visiting import Visitor

PATH = "/tasks/sentiment"


@pytest.fixture
def olga(visitor: Visitor) -> Visitor:
    visitor.sign_in("olga")
    return visitor


def test_rounds_stand_with_their_figures(visitor: Visitor) -> None:
    page = visitor.get(PATH).text
    assert page.count("25.7\u00a0%") == 3
    assert page.count("(22.7–28.7)") == 3
    assert "English" in page


def test_a_task_is_shown_while_the_leaderboard_is_away(visitor: Visitor, fake: FakePlatform) -> None:
    fake.fail("GET", "/api/leaderboard/", 503, times=20)
    answer = visitor.get(PATH)
    assert answer.status_code == 200
    assert "Round 3" in answer.text
    assert "/activity" not in answer.text


def test_tries_stand_by_day_and_else_by_round(visitor: Visitor, fake: FakePlatform) -> None:
    assert f'href="{PATH}/activity"' in visitor.get(PATH).text
    assert "Tries per day" in visitor.get(f"{PATH}/activity").text
    fake.history["points"] = []
    page = visitor.get(f"{PATH}/activity").text
    assert "Tries per round" in page
    assert '<th scope="row">Round 1</th><td>1,204</td>' in page


def test_activity_that_cannot_be_read_says_so(visitor: Visitor, fake: FakePlatform) -> None:
    fake.fail("GET", "/api/leaderboard/", 503, times=20)
    assert "can't be told just now" in visitor.get(f"{PATH}/activity").text


def test_models_that_fit_are_told_to_who_is_signed_in(visitor: Visitor) -> None:
    assert "to see which served models fit" in visitor.get(PATH).text
    visitor.sign_in("ada")
    page = visitor.get(PATH).text
    assert "in the loop of a running round" in page
    assert f'href="{PATH}/sandbox"' in page


def test_a_task_that_no_model_fits_says_so(ada: Visitor, fake: FakePlatform) -> None:
    fake.workshop.models.clear()
    fake.models.found.clear()
    assert "No served model fits" in ada.get(PATH).text


def test_a_task_without_a_round_says_what_comes_next(visitor: Visitor) -> None:
    assert "There is no round yet" in visitor.get("/tasks/nli").text


def test_only_owners_see_contexts_left_and_the_form_of_a_round(visitor: Visitor, fake: FakePlatform) -> None:
    visitor.sign_in("ada")
    assert "Draft a round" not in visitor.get(PATH).text
    visitor.sign_in("olga")
    page = visitor.get(PATH).text
    assert "Draft a round" in page
    assert "Contexts left" in page
    assert f"/rounds/{fake.loop.round_id}/contexts" in page


def test_an_owner_drafts_a_round(olga: Visitor, fake: FakePlatform) -> None:
    answer = olga.post(f"{PATH}/rounds", title="after retraining", target=["sentiment-cnn", "sentiment-late"])
    assert answer.status_code == 303
    drafted = {"targets": ["sentiment-cnn", "sentiment-late"], "title": "after retraining"}
    assert fake.workshop.drafted == [drafted]
    page = olga.get(answer.headers["Location"]).text
    assert "/rounds/4/state/open" in page


def test_a_round_without_targets_is_a_control_round(olga: Visitor, fake: FakePlatform) -> None:
    assert olga.post(f"{PATH}/rounds", title="").status_code == 303
    assert fake.workshop.drafted == [{"targets": []}]


def test_a_refused_round_keeps_what_was_chosen(olga: Visitor, fake: FakePlatform) -> None:
    fake.fail("POST", "/rounds$", 409, detail="sentiment-cnn is not served.", remedy="Choose another.")
    answer = olga.post(f"{PATH}/rounds", target="sentiment-cnn")
    assert answer.status_code == 409
    assert "sentiment-cnn is not served." in answer.text
    assert 'value="sentiment-cnn" checked' in answer.text


def test_others_draft_no_round(ada: Visitor, fake: FakePlatform) -> None:
    assert ada.post(f"{PATH}/rounds").status_code == 403
    assert fake.workshop.drafted == []


def test_who_may_create_tasks_is_led_there(visitor: Visitor) -> None:
    visitor.sign_in("ada")
    assert "/tasks/new" not in visitor.get("/").text
    visitor.sign_in("olga")
    assert 'href="/tasks/new"' in visitor.get("/").text
