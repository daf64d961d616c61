"""Texts on the page that compares two models: filters, pages, and what holds them back."""

import re
from urllib.parse import urlencode

import pytest
from web.model_boards.compared_items import Choice
from web_fake_model_board import DATASET_ID
from web_fake_platform import FakePlatform
from web_visiting import Visitor

PAGE = "/tasks/sentiment/board/compare"
CHOSEN = {"first": "roberta-adv-v2", "second": "sentiment-minilm", "dataset": DATASET_ID}


def compared(visitor: Visitor, **filters: str) -> str:
    answer = visitor.get(f"{PAGE}?{urlencode({**CHOSEN, **filters})}")
    assert answer.status_code == 200, answer.text
    return answer.text.partition('<section id="items"')[2]


def asked(fake: FakePlatform) -> list[str]:
    return [path for _, path, _ in fake.calls if path.endswith("/comparison/items")]


def test_an_item_has_its_text_and_both_answers(visitor: Visitor) -> None:
    text = compared(visitor)
    assert "The soup was &lt;b&gt;cold&lt;/b&gt; again, 1." in text
    assert "Items 1 to 10 of 31." in text
    first = re.sub(r"<[^>]*>", " ", text.partition("<li")[2].partition("</li>")[0])
    assert re.findall(
        r"roberta-adv-v2\s+negative\s+✓\s+right\s+sentiment-minilm\s+positive\s+✕\s+wrong", first
    )
    assert f'href="/datasets/scored/{DATASET_ID}/item?id=r2-1"' in text


def test_pages_of_items_keep_the_filters(visitor: Visitor) -> None:
    text = compared(visitor, right="first")
    (address,) = re.findall(r'class="button" href="([^"]*)">See the next items', text)
    assert "right=first" in address
    assert "page=2" in address
    last = compared(visitor, right="first", page="3")
    assert "Items 21 to 29 of 29." in last
    assert "See the next items" not in last
    assert "See the first items" in last


def test_the_last_page_that_can_be_read_leads_to_no_next_one(
    visitor: Visitor, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("web.model_boards.compared_items.MOST_PAGES", 2)
    assert "See the next items" in compared(visitor)
    last = compared(visitor, page="2")
    assert "Items 11 to 20 of 31." in last
    assert "See the next items" not in last


def test_a_missing_answer_is_marked(visitor: Visitor) -> None:
    assert compared(visitor, right="neither").count("no answer") == 2


def test_filters_without_a_match_advise_other_filters(visitor: Visitor) -> None:
    assert "No items match. Choose other filters." in compared(visitor, right="second")


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({}, Choice()),
        ({"right": "both", "page": "x"}, Choice()),
        ({"right": "first", "page": "3"}, Choice(right="first", page=3)),
        ({"page": "0"}, Choice()),
        ({"page": "99999"}, Choice()),
        ({"page": "²"}, Choice()),
    ],
)
def test_unknown_choices_are_ignored(given: dict[str, str], expected: Choice) -> None:
    assert Choice.of(given) == expected


def test_the_page_has_no_texts_of_a_dataset_whose_items_are_not_shown(
    visitor: Visitor, fake: FakePlatform
) -> None:
    fake.fail("GET", "/comparison/items$", 403, times=9)
    text = compared(visitor)
    assert "soup" not in text
    assert "Show the items" not in text


def test_texts_that_may_hurt_wait_for_a_click(visitor: Visitor, fake: FakePlatform) -> None:
    task = fake.loop.add("hate-speech")
    address = f"/tasks/{task.slug}/board/compare?{urlencode(CHOSEN)}"
    held_back = visitor.get(address).text
    assert "The texts may hurt or offend." in held_back
    assert not asked(fake)
    assert "McNemar" in held_back
    visitor.post(f"/tasks/{task.slug}/content-notice", next=address)
    assert "again, 1." in visitor.get(address).text
