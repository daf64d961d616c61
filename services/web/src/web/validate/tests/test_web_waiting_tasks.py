"""Tasks with examples that need votes."""

from web_fake_platform import FakePlatform
from web_visiting import Visitor


def test_tasks_that_wait_for_votes_lead_to_them(ada: Visitor, fake: FakePlatform) -> None:
    page = ada.get("/check").text
    assert f'href="/rounds/{fake.loop.round_id}/validate"' in page
    assert "4 texts for you" in page


def test_without_anything_to_check_it_says_what_to_do(ada: Visitor, fake: FakePlatform) -> None:
    fake.loop.waiting = []
    page = ada.get("/check").text
    assert "No texts for you to check" in page
    assert 'href="/#tasks"' in page


def test_what_cannot_be_read_is_no_empty_list(ada: Visitor, fake: FakePlatform) -> None:
    fake.fail("GET", "/people/me/waiting", 503, times=9)
    assert "can't be read just now" in ada.get("/check").text


def test_a_stranger_signs_in_first(visitor: Visitor) -> None:
    assert visitor.get("/check").headers["Location"].startswith("/sign-in")
