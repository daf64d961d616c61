"""The board of people: who stands where, one's own row, and what is there before anybody tried."""

import re

from web_fake_platform import FakePlatform
from web_visiting import Visitor


def rows(page: str) -> list[tuple[str, str]]:
    found = re.finditer(r"<tr[^>]*><td[^>]*>([^<]*)</td><th[^>]*>([^<]*)</th>", page)
    return [(each[1], each[2]) for each in found]


def test_people_stand_by_rank_and_without_names(visitor: Visitor) -> None:
    page = visitor.get("/tasks/sentiment/people").text
    assert rows(page) == [
        ("1", "Annotator 00000ada"), ("2", "Annotator 00000bea"), ("2", "Annotator 00000cea")
    ]  # fmt: skip
    assert "80 people have played here." in page
    assert "of 9" in page
    assert "/sign-in?next=/tasks/sentiment/people" in page
    assert "/tasks/sentiment/people?cursor=" in page


def test_rates_of_people_are_drawn_with_the_readers_own(ada: Visitor) -> None:
    address = "/tasks/sentiment/people"
    chart = ada.get(address).text.partition('id="chart-people"')[2].partition("</figure>")[0]
    assert chart.count("<circle") == chart.count('class="whisker') == 4
    assert ">You</text>" in chart
    assert 'id="chart-people"' not in ada.get(f"{address}?cursor=WzMsIDEyXQ").text
    assert 'id="chart-people"' not in ada.get("/tasks/nli/people").text


def test_ones_own_row_comes_first_where_the_page_does_not_hold_it(ada: Visitor) -> None:
    page = ada.get("/tasks/sentiment/people").text
    assert rows(page)[0] == ("4", "You")
    assert 'class="user-board-mine"' in page


def test_a_round_has_a_board_of_its_own(ada: Visitor, fake: FakePlatform) -> None:
    address = f"/tasks/sentiment/people?round_id={fake.loop.round_id}"
    page = ada.get(address).text
    assert f"/leaderboard/v1/rounds/{fake.loop.round_id}/people" in str(fake.calls)
    assert f"{address}&amp;cursor=" in page
    assert ada.get("/tasks/sentiment/people?round_id=99").status_code == 404


def test_an_empty_board_says_what_to_do(ada: Visitor) -> None:
    page = ada.get("/tasks/nli/people").text
    assert "No players yet" in page
    assert "You have not played here yet." in page


def test_badges_stand_in_the_account_with_what_comes_next(ada: Visitor) -> None:
    page = ada.get("/account").text
    assert "Fooled 5 times in a row" in page
    assert "Sentiment, week 2026-W02" in page
    assert "9 of 50" in page
    assert page.index("Active 2 days in a row") < page.index("Bronze contributor")
