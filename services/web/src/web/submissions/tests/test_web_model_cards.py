"""Cards of models: the leading ones of each task, with score, fool rate and a button."""

import re
from html import unescape
from typing import Any

import pytest
from dynabench_client.results.base import LARGEST_PAGE
from web_fake_platform import FakePlatform
from web_visiting import Visitor


def cards(text: str) -> dict[str, str]:
    """Return each card of a page by the words of its heading."""
    found = re.findall(r'<li class="card model-entry">.*?</li>', text, re.DOTALL)
    return {words(re.search(r"<h3>.*?</h3>", each, re.DOTALL)[0]): each for each in found}  # type: ignore[index]


def words(markup: str) -> str:
    return " ".join(unescape(re.sub(r"<[^>]*>", " ", markup)).split())


@pytest.fixture
def of_task(visitor: Visitor) -> dict[str, str]:
    return cards(visitor.get("/models?task=sentiment").text)


def test_the_models_of_all_tasks_are_the_leading_ones_of_each(visitor: Visitor) -> None:
    text = visitor.get("/models").text
    assert list(cards(text)) == ["roberta-adv-v2", "deberta-mix-v1", "sentiment-minilm"]
    assert '<a href="/models?task=sentiment">See all 7 models' in text
    assert '<a href="/tasks/sentiment/board">See the board' in text
    assert "scores of different tasks are not averaged" in text


def test_a_task_shows_scored_models_by_place_then_published_ones_then_those_of_its_rounds(
    of_task: dict[str, str],
) -> None:
    scored = ["roberta-adv-v2", "deberta-mix-v1", "sentiment-minilm", "offline", "tiny-x-v1"]
    assert list(of_task) == [*scored, "sentiment-mini, version 1", "n-gram-b"]


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("roberta-adv-v2", "79.0 (77.0–81.0) · place 1 to 2"),
        ("sentiment-minilm", "77.0 (75.0–79.0) · place 3"),
        ("offline", "76.0 (no interval)"),
        ("tiny-x-v1", "its evaluation on sentiment-round-2 is under way"),
        ("n-gram-b", "not scored yet"),
        ("sentiment-mini, version 1", "22,713,216 parameters · Apache-2.0"),
        ("sentiment-minilm", "Sentiment · comes with the installation"),
        ("deberta-mix-v1", "yours · not published · anonymous"),
        ("offline", "Sentiment · predictions only"),
    ],
)
def test_a_card_tells_the_score_and_what_is_special(name: str, said: str, of_task: dict[str, str]) -> None:
    assert said in words(of_task[name])


def test_the_fool_rate_is_that_of_the_newest_round_in_which_it_answered(
    visitor: Visitor, fake: FakePlatform, of_task: dict[str, str]
) -> None:
    assert "30.0 % of 1,204 (27.0–33.0) round 3" in words(of_task["sentiment-minilm"]).replace("\u00a0", " ")
    assert "nobody has tried to fool it in a round" in words(of_task["roberta-adv-v2"])
    target: dict[str, Any] = fake.figures["targets"][0]
    target["decided"] = 0
    assert "nobody has tried" in words(cards(visitor.get("/models").text)["sentiment-minilm"])
    target.update(decided=9, rates_of="tries that fooled the earlier tiers")
    shown = words(cards(visitor.get("/models").text)["sentiment-minilm"])
    assert "of tries that fooled the models before it round 3" in shown


def test_nobody_tried_a_model_is_said_only_if_no_round_is_left_out(
    visitor: Visitor, fake: FakePlatform, of_task: dict[str, str]
) -> None:
    """Figures are read of the newest three rounds; in an older one people may have tried the model."""
    nobody = "nobody has tried to fool it in a round"
    link = '<a href="/models/tiny-x-v1">see its page'
    assert nobody in of_task["tiny-x-v1"]
    oldest = next(each for each in fake.loop.rounds.values() if each["number"] == 1)
    oldest["targets"] = ["tiny-x-v1"]
    assert nobody in cards(visitor.get("/models?task=sentiment").text)["tiny-x-v1"]
    newest = fake.loop.rounds[fake.loop.round_id]
    fake.loop.rounds["0198c0de-0000-7000-8000-0000000000e4"] = {
        **newest,
        "round_id": "0198c0de-0000-7000-8000-0000000000e4",
        "number": 4,
        "state": "closed",
    }
    found = cards(visitor.get("/models?task=sentiment").text)
    assert nobody not in found["tiny-x-v1"]
    assert link in found["tiny-x-v1"]
    assert nobody in found["roberta-adv-v2"]
    fake.fail("GET", "/api/annotation/v1/tasks$", 503, times=9)
    assert nobody not in visitor.get("/models?task=sentiment").text


def test_without_figures_of_a_round_no_card_says_that_nobody_tried(
    visitor: Visitor, fake: FakePlatform
) -> None:
    fake.fail("GET", f"/api/leaderboard/v1/rounds/{fake.loop.round_id}$", 503, times=9)
    text = visitor.get("/models?task=sentiment").text
    assert "nobody has tried" not in text
    assert "Fool rate not available just now" in words(cards(text)["roberta-adv-v2"])


def test_more_published_models_than_one_answer_of_the_registry_has_are_counted_and_listed(
    visitor: Visitor, fake: FakePlatform
) -> None:
    for number in range(LARGEST_PAGE):
        fake.models.add("published", model=f"other-{number}")
    assert "See all 207 models" in visitor.get("/models").text
    assert len(cards(visitor.get("/models?task=sentiment&page=11").text)) == 7


@pytest.mark.parametrize("page", ["/models", "/models?task=sentiment"])
def test_without_the_registry_models_are_shown_without_their_details(
    page: str, visitor: Visitor, fake: FakePlatform
) -> None:
    sentence = "Some models and details are not available just now"
    assert sentence not in visitor.get(page).text
    fake.fail("GET", "/published-models$", 503, times=9)
    text = visitor.get(page).text
    assert sentence in text
    assert "79.0 (77.0–81.0)" in words(cards(text)["roberta-adv-v2"])
    fake.fail("GET", "/model-board$", 503, times=9)
    fake.loop.rounds.clear()
    assert "No model" not in visitor.get(page).text


@pytest.mark.parametrize(
    ("state", "expected"),
    [
        ("open", "/rounds/{round_id}/create"),
        ("paused", None),
        ("closed", "/tasks/sentiment/sandbox?model=sentiment-minilm"),
    ],
)
def test_a_model_in_play_is_fooled_in_its_round_and_tried_only_otherwise(
    state: str, expected: str | None, visitor: Visitor, fake: FakePlatform
) -> None:
    fake.loop.rounds[fake.loop.round_id]["state"] = state
    card = cards(visitor.get("/models").text)["sentiment-minilm"]
    address = expected and expected.format(round_id=fake.loop.round_id)
    assert re.findall(r'class="button" href="([^"]*)"', card) == ([address] if address else [])


def test_a_model_that_runs_elsewhere_has_no_button(of_task: dict[str, str]) -> None:
    assert "button" not in of_task["offline"]
    assert 'href="/tasks/sentiment/sandbox?model=roberta-adv-v2"' in of_task["roberta-adv-v2"]


def test_without_the_board_models_are_shown_without_scores(visitor: Visitor, fake: FakePlatform) -> None:
    fake.fail("GET", "/model-board$", 503, times=9)
    text = visitor.get("/models?task=sentiment").text
    assert "The scores are not available just now" in text
    assert "not scored yet" not in text
    assert list(cards(text)) == ["sentiment-mini, version 1", "sentiment-minilm", "n-gram-b"]
