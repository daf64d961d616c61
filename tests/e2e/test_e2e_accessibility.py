"""axe-core finds no problem on any page, at desktop and phone width, light and dark."""

from collections.abc import Callable
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe

pytestmark = pytest.mark.slow

PATHS = [
    "/",
    "/tasks/sentiment",
    "/tasks/sentiment/practice",
    "/rounds/{round_id}",
    "/rounds/{round_id}/create",
    "/rounds/{round_id}/validate",
]
PATHS += ["/rounds/{round_id}/tries", "/account", "/help/keys", "/no-such-page"]


@pytest.mark.parametrize(("width", "scheme"), [(1280, "light"), (390, "dark")])
def test_pages_have_no_violations(
    new_member: Callable[..., Any], round_id: str, width: int, scheme: Any
) -> None:
    member = new_member(width=width, height=844)
    member.page.emulate_media(color_scheme=scheme)
    found = {}
    for path in ["/", "/sign-in", "/sign-up", "/forgotten-password", "/new-password", "/confirm-email"]:
        found[path] = violations(member.open(path))
    member.sign_in()
    for path in PATHS:
        found[path] = violations(member.open(path.format(round_id=round_id)))
        assert overflow(member.page) <= 0, f"{path} scrolls sideways at {width} px"
    assert {path: objections for path, objections in found.items() if objections} == {}


def violations(page: Any) -> list[str]:
    page.wait_for_load_state("networkidle")
    results = Axe().run(page)
    return [f"{item['id']}: {item['nodes'][0]['html'][:120]}" for item in results.response["violations"]]


def overflow(page: Any) -> int:
    width: int = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
    return width
