"""Badges on pages: each has a drawing and a name."""

import pytest
from web.kit.badge_drawings import MARKS, badge_drawing
from web.kit.badges import NAMES
from web_fake_platform import FakePlatform
from web_visiting import Visitor

ADA = "00000000-0000-0000-0000-000000000ada"


def test_each_named_badge_has_a_drawing_of_its_own() -> None:
    assert set(MARKS) == set(NAMES)
    assert len({badge_drawing(name) for name in NAMES}) == len(NAMES)


@pytest.mark.parametrize("name", ["fooling_streak_5", "day_streak_365"])
def test_the_drawing_of_a_streak_has_its_number(name: str) -> None:
    assert f">{name.rsplit('_', 1)[1]}</text>" in badge_drawing(name)


@pytest.mark.parametrize("name", ["first_vote", "day_streak_2", "of_tomorrow"])
def test_a_drawing_is_decoration_beside_the_name(name: str) -> None:
    drawing = badge_drawing(name)
    assert drawing.startswith("<svg ")
    assert 'aria-hidden="true"' in drawing
    assert "style=" not in drawing


@pytest.mark.parametrize("address", ["/account", "/notices", f"/profiles/{ADA}"])
def test_pages_with_badges_draw_them(address: str, ada: Visitor, fake: FakePlatform) -> None:
    fake.desk.nicknames[ADA] = "Queen of Irony"
    page = ada.get(address).text
    for name in ("weekly_winner", "fooling_streak_5", "first_vote"):
        assert badge_drawing(name) in page


def test_older_notices_have_no_badges(ada: Visitor) -> None:
    assert "Newest badges" in ada.get("/notices").text
    assert "Newest badges" not in ada.get("/notices?cursor=1").text


def test_notices_are_shown_if_badges_can_not_be_read(ada: Visitor, fake: FakePlatform) -> None:
    fake.fail("GET", "/people/me/badges", 500, times=9)
    page = ada.get("/notices")
    assert page.status_code == 200
    assert "Newest badges" not in page.text
