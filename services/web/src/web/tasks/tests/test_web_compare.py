"""The rounds of a task side by side."""

import pytest
from web_fake_platform import FakePlatform
from web_visiting import Visitor

PAGE = "/tasks/sentiment/rounds"


def columns(text: str) -> int:
    head = text.partition("comparison-table")[2].partition("</thead>")[0]
    return head.count('href="/rounds/')


def test_rounds_stand_side_by_side_for_everybody(visitor: Visitor) -> None:
    page = visitor.get(PAGE).text
    assert columns(page) == 3
    for words in (
        "Change of the fool rate",
        "Checked fooling tries that were confirmed",
        "Agreement of votes (alpha)",
        "points",
    ):
        assert words in page
    assert "Authors" not in page


def test_charts_of_the_rounds_stand_above_their_figures(visitor: Visitor, fake: FakePlatform) -> None:
    page = visitor.get(PAGE).text
    rates = page.partition('id="chart-rounds"')[2].partition("</figure>")[0]
    assert rates.count("<circle") == rates.count("<rect") == 3
    assert rates.count('class="whisker') == 6
    effort = page.partition('id="chart-rounds-effort"')[2].partition("</figure>")[0]
    assert "<td>3.0</td><td>2.7–3.4</td><td>7.4</td>" in effort
    fake.fail("GET", "/effort$", 503, times=99)
    page = visitor.get(PAGE).text
    assert 'id="chart-rounds"' in page
    assert 'id="chart-rounds-effort"' not in page


def test_who_looks_after_the_task_sees_how_many_wrote(visitor: Visitor) -> None:
    visitor.sign_in("olga")
    assert "Authors" in visitor.get(PAGE).text


def test_the_task_and_its_rounds_lead_there(visitor: Visitor, fake: FakePlatform) -> None:
    assert f'href="{PAGE}"' in visitor.get("/tasks/sentiment").text
    assert f'href="{PAGE}"' in visitor.get(f"/rounds/{fake.loop.round_id}").text


def test_one_round_has_nothing_to_be_compared_with(visitor: Visitor, fake: FakePlatform) -> None:
    mine = [found for found in fake.loop.rounds.values() if found["task_slug"] == "sentiment"]
    for found in mine[1:]:
        found["state"] = "draft"
    page = visitor.get(PAGE).text
    assert "Nothing to compare yet" in page
    assert "<table" not in page


def test_older_rounds_are_a_page_away(visitor: Visitor) -> None:
    page = visitor.get(f"{PAGE}?until=2").text
    assert columns(page) == 2
    assert f'href="{PAGE}">Newest' in page
    assert "No older rounds" in visitor.get(f"{PAGE}?until=0").text
    assert columns(visitor.get(f"{PAGE}?until=moon").text) == 3


@pytest.mark.parametrize("service", ["leaderboard", "validation"])
def test_a_service_that_is_away_leaves_the_rest(service: str, visitor: Visitor, fake: FakePlatform) -> None:
    fake.fail("GET", f"^/api/{service}/v1/rounds/", 503, times=99)
    page = visitor.get(PAGE)
    assert page.status_code == 200
    assert columns(page.text) == 3
    assert ("can't be read just now" in page.text) == (service == "leaderboard")
