"""The page of a task: rounds with figures, models that fit, worked examples, and drafting a round."""

import re

import pytest
from web_fake_platform import FakePlatform
from web_visiting import Visitor

PATH = "/tasks/sentiment"
MANAGE = f"{PATH}/manage"


@pytest.fixture
def olga(visitor: Visitor) -> Visitor:
    visitor.sign_in("olga")
    return visitor


def test_rounds_stand_with_their_figures(visitor: Visitor) -> None:
    page = visitor.get(PATH).text
    sentence = "1,204 tries · 402 fooled: 310 confirmed, 0 not confirmed, 92 being checked"
    assert page.replace("\u00a0", " ").count(sentence) == 3
    assert "English" in page


def test_the_first_people_stand_on_the_page(visitor: Visitor, fake: FakePlatform) -> None:
    first = "00000000-0000-0000-0000-000000000ada"
    fake.desk.nicknames[first] = "Queen of Irony"
    page = visitor.get(PATH).text
    assert f'<a href="/profiles/{first}">' in page
    assert "confirmed errors: 6" in page
    assert "Most confirmed errors" not in visitor.get("/tasks/nli").text


def test_the_guidelines_are_folded(visitor: Visitor) -> None:
    folded = visitor.get(PATH).text.partition('<details class="prose" id="guidelines-fold">')[2]
    assert "Read the prompt sentence" in folded.partition("</details>")[0]


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
    assert "can't be read just now" in visitor.get(f"{PATH}/activity").text


def test_models_that_fit_are_told_to_who_is_signed_in(visitor: Visitor) -> None:
    assert "to see the matching models" in visitor.get(PATH).text
    visitor.sign_in("ada")
    page = visitor.get(PATH).text
    assert "in an open round" in page
    assert f'href="{PATH}/sandbox"' in page


def test_a_task_that_no_model_fits_says_so(ada: Visitor, fake: FakePlatform) -> None:
    fake.workshop.models.clear()
    fake.models.found.clear()
    assert "No matching models" in ada.get(PATH).text


def test_a_task_without_a_round_says_what_comes_next(visitor: Visitor) -> None:
    assert "No rounds yet" in visitor.get("/tasks/nli").text


def main(page: str) -> str:
    return page.partition('<main id="main"')[2].partition("</main>")[0]


def test_the_landing_page_is_the_same_for_everybody_but_for_the_owners_tab(visitor: Visitor) -> None:
    visitor.sign_in("ada")
    of_ada = main(visitor.get(PATH).text)
    visitor.sign_in("olga")
    of_olga = main(visitor.get(PATH).text)
    assert "/manage" not in of_ada
    assert of_olga.replace(f'<a href="{MANAGE}">Manage</a>', "") == of_ada


@pytest.mark.parametrize("page", ["", "/rounds", "/board", "/people", "/examples"])
def test_the_tabs_of_a_task_lead_to_pages_of_the_task_alone(page: str, visitor: Visitor) -> None:
    nav = visitor.get(f"{PATH}{page}").text.partition('aria-label="About the task"')[2].partition("</nav>")[0]
    addresses = re.findall(r'href="([^"]*)"', nav)
    assert addresses == [f"{PATH}{rest}" for rest in ("", "/rounds", "/board", "/people", "/examples")]
    assert re.findall(r'href="([^"]*)" aria-current="page"', nav) == [f"{PATH}{page}"]


def test_only_owners_see_contexts_left_and_the_form_of_a_round(visitor: Visitor, fake: FakePlatform) -> None:
    visitor.sign_in("ada")
    assert visitor.get(MANAGE).status_code == 403
    visitor.sign_in("olga")
    page = visitor.get(MANAGE).text
    assert "Draft the round" in page
    assert "Contexts left" in page
    assert f"/rounds/{fake.loop.round_id}/contexts" in page
    assert f'href="{PATH}/rounds/3/standing"' in page


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
    answer = olga.post(f"{PATH}/rounds", target="sentiment-cnn", title="after <b>retraining</b>")
    assert answer.status_code == 409
    assert 'name="title" value="after &lt;b&gt;retraining&lt;/b&gt;"' in answer.text
    assert "sentiment-cnn is not served." in answer.text
    assert 'value="sentiment-cnn" checked' in answer.text


def test_others_draft_no_round(ada: Visitor, fake: FakePlatform) -> None:
    assert ada.post(f"{PATH}/rounds").status_code == 403
    assert fake.workshop.drafted == []


def test_everybody_who_is_signed_in_is_led_to_starting_a_task(visitor: Visitor) -> None:
    assert "/tasks/new" not in visitor.get("/").text
    visitor.sign_in("ada")
    assert '<a href="/tasks/new">Start a task of your own</a>' in visitor.get("/").text
    visitor.sign_in("olga")
    assert 'href="/tasks/new">Create a task</a>' in visitor.get("/").text
