"""Walls of public examples: their filters and pages, the cards, and the fragment on other pages."""

from html import unescape

import pytest
from web.kit.public_examples import shortened
from web_fake_datasets import DATASET_ID
from web_fake_evaluations import BASELINE
from web_fake_examples import EXAMPLE_ID, TEXTS
from web_fake_models import MODEL_NAME
from web_fake_platform import FakePlatform
from web_visiting import Visitor

WALL = "Examples that fooled models"


def shown(visitor: Visitor, path: str) -> str:
    answer = visitor.get(path)
    assert answer.status_code == 200, answer.text
    return unescape(answer.text)


def asked(fake: FakePlatform) -> dict[str, str]:
    return fake.showcase.queries[-1]


def test_a_card_says_what_people_and_models_said(visitor: Visitor) -> None:
    page = shown(visitor, "/examples")
    assert TEXTS[0] in page
    assert "People say negative." in page
    assert "Both models said positive (91\u00a0%, 87\u00a0%)." in page
    assert f'href="/examples/{EXAMPLE_ID}"' in page
    assert "Harbour round" in page


@pytest.mark.parametrize(
    ("answers", "sentence"),
    [
        ([("positive", True, 0.91)], "The model said positive (91\u00a0%)."),
        ([("positive", True, 0.91), ("negative", False, 0.6)], "1 of 2 models said positive (91\u00a0%)."),
        (
            [("positive", True, 0.91), ("neutral", True, 0.5)],
            "1 of 2 models said positive (91\u00a0%). 1 of 2 models said neutral (50\u00a0%).",
        ),
        ([("positive", True, 0.9)] * 3, "All 3 models said positive (90\u00a0%, 90\u00a0%, 90\u00a0%)."),
    ],
)
def test_equal_wrong_answers_are_one_sentence(
    answers: list[tuple[str, bool, float]], sentence: str, visitor: Visitor, fake: FakePlatform
) -> None:
    first = fake.showcase.items[0]
    first["answers"] = [
        {**first["answers"][0], "value": value, "wrong": wrong, "confidence": share}
        for value, wrong, share in answers
    ]
    fake.showcase.items = [first]
    assert sentence in shown(visitor, "/examples")


def test_the_filters_are_sent_on_and_kept_in_the_address_of_the_next_page(
    visitor: Visitor, fake: FakePlatform
) -> None:
    fake.showcase.items *= 10
    page = shown(visitor, f"/tasks/sentiment/examples?model=n-gram-b&order=best&dataset={DATASET_ID}")
    assert asked(fake) == {
        "task": "sentiment",
        "target": "n-gram-b",
        "dataset_id": DATASET_ID,
        "order": "best",
        "limit": "24",
    }
    following = f"/tasks/sentiment/examples?model=n-gram-b&order=best&dataset={DATASET_ID}&cursor=24"
    assert f'href="{following}"' in page
    shown(visitor, following)
    assert asked(fake)["cursor"] == "24"


def test_an_unknown_order_is_the_newest_first(visitor: Visitor, fake: FakePlatform) -> None:
    shown(visitor, "/examples?order=worst")
    assert asked(fake)["order"] == "newest"


def test_an_empty_wall_says_what_to_do(visitor: Visitor, fake: FakePlatform) -> None:
    assert "No example fits these filters" in shown(visitor, "/examples?model=nobody")
    fake.showcase.items.clear()
    assert "See the tasks" in shown(visitor, "/examples")
    page = shown(visitor, "/tasks/sentiment/examples")
    assert f'href="/rounds/{fake.loop.round_id}/create">Write the first one' in page


@pytest.mark.parametrize(
    "path",
    [
        "/",
        "/tasks/sentiment",
        "/rounds/{round}",
        f"/datasets/{DATASET_ID}",
        f"/models/{MODEL_NAME}",
        f"/models/{BASELINE}",
    ],
)
class TestOnOtherPages:
    @staticmethod
    def at(path: str, fake: FakePlatform) -> str:
        return path.format(round=fake.loop.round_id)

    def test_the_wall_shows_at_most_three_and_leads_to_all(
        self, path: str, visitor: Visitor, fake: FakePlatform
    ) -> None:
        for item in fake.showcase.items:
            names = (MODEL_NAME, BASELINE)
            item["answers"] = [{**item["answers"][0], "target": name} for name in names]
        page = shown(visitor, self.at(path, fake))
        assert WALL in page
        assert page.count('class="example-card"') == 3
        assert "See all examples" in page

    def test_without_examples_the_page_stays_quiet(
        self, path: str, visitor: Visitor, fake: FakePlatform
    ) -> None:
        fake.showcase.items.clear()
        page = shown(visitor, self.at(path, fake))
        assert WALL not in page
        assert ("No example" in page) == (path != "/")

    def test_a_failing_service_leaves_the_wall_out(
        self, path: str, visitor: Visitor, fake: FakePlatform
    ) -> None:
        fake.fail("GET", "/public-examples", 503, times=9)
        assert WALL not in shown(visitor, self.at(path, fake))


def test_a_model_page_asks_for_examples_that_fooled_it(visitor: Visitor, fake: FakePlatform) -> None:
    shown(visitor, f"/models/{MODEL_NAME}")
    assert asked(fake)["target"] == MODEL_NAME


def test_a_text_with_a_notice_is_held_back_on_walls(visitor: Visitor, fake: FakePlatform) -> None:
    fake.loop.add("hate-speech")
    fake.showcase.add("hate-speech", {}, {"text": "They should go home."}, "hateful")
    page = shown(visitor, "/examples")
    assert page.index('<details class="held-back">') < page.index("They should go home.")


@pytest.mark.parametrize(
    ("text", "cut"), [("short", "short"), ("a few words more", "a few…"), ("x" * 12, "x" * 10 + "…")]
)
def test_texts_are_cut_at_a_word(text: str, cut: str) -> None:
    assert shortened(text, 10) == cut
