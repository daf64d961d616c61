"""The rounds of a task side by side."""

import pytest
from web_fake_platform import FakePlatform
from web_visiting import Visitor

PAGE = "/tasks/sentiment/rounds"


def columns(text: str) -> int:
    return text.partition("<thead>")[2].partition("</thead>")[0].count('href="/rounds/')


def test_rounds_stand_side_by_side_for_everybody(visitor: Visitor) -> None:
    page = visitor.get(PAGE).text
    assert columns(page) == 3
    for words in (
        "MER since the round before",
        "Validity of fooling",
        "Agreement of votes (alpha)",
        "points",
    ):
        assert words in page
    assert "Authors" not in page


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
    assert "There is nothing to compare yet" in page
    assert "<table" not in page


def test_older_rounds_are_a_page_away(visitor: Visitor) -> None:
    page = visitor.get(f"{PAGE}?until=2").text
    assert columns(page) == 2
    assert f'href="{PAGE}">Newest' in page
    assert "No round is that old" in visitor.get(f"{PAGE}?until=0").text
    assert columns(visitor.get(f"{PAGE}?until=moon").text) == 3


@pytest.mark.parametrize("service", ["leaderboard", "validation"])
def test_a_service_that_is_away_leaves_the_rest(service: str, visitor: Visitor, fake: FakePlatform) -> None:
    fake.fail("GET", f"^/api/{service}/v1/rounds/", 503, times=99)
    page = visitor.get(PAGE)
    assert page.status_code == 200
    assert columns(page.text) == 3
    assert ("can't be read just now" in page.text) == (service == "leaderboard")
