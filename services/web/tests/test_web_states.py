"""Every page of a round in each of its states, for each role, and wherever its links lead."""

import re
from collections.abc import Iterator
from html import unescape

import pytest
from web_fake_platform import FakePlatform
from web_visiting import Visitor

BASE = "/tasks/sentiment/rounds/3"
VIEWS = ("now", "progress", "votes", "people", "health")
PAGES = [
    *("/", "/check", "/tasks", "/tasks/sentiment", "/tasks/sentiment/manage", "/tasks/sentiment/rounds"),
    *(f"/rounds/{{round}}{rest}" for rest in ("", "/create", "/validate", "/tries", "/contexts")),
    *(f"{BASE}{rest}" for rest in ("/next", "/work", "/examples", "/measurements")),
    *(f"{BASE}/standing?view={view}" for view in VIEWS),
]
STATES = ("draft", "open", "paused", "closed", "released")
CASES = [
    *((role, state, "") for role in ("", "ada", "olga") for state in STATES),
    *(("olga", state, origin) for state in ("draft", "closed") for origin in ("imported", "harvested")),
]
LINK = re.compile(r'<a\s[^>]*?href="(/[^"#]*)')


def links(page: str, round_id: str) -> Iterator[str]:
    """Yield the addresses about the round that a page links to."""
    for address in map(unescape, LINK.findall(page)):
        if round_id in address or address.startswith(BASE):
            yield address


@pytest.mark.parametrize(("role", "state", "origin"), CASES)
def test_every_page_works_or_says_why_not(
    role: str, state: str, origin: str, visitor: Visitor, fake: FakePlatform
) -> None:
    """A page may send one to sign in, refuse one who may not, or say that the round is not open: it never breaks.

    Where a page leads to, there is something: who sees a link may follow it.
    """
    round_id = fake.loop.round_id
    fake.loop.rounds[round_id].update(state=state, origin=origin)
    if role:
        visitor.sign_in(role)
    walls = []
    led: dict[str, str] = {}
    for page in (each.format(round=round_id) for each in PAGES):
        answer = visitor.get(page)
        if answer.status_code not in {200, 303, 403, 409}:
            walls.append(f"{page}: {answer.status_code}")
        if answer.status_code == 200:
            led |= dict.fromkeys(links(answer.text, round_id), page)
    for address, page in led.items():
        answer = visitor.get(address)
        if answer.status_code not in {200, 303, 409} or (
            answer.status_code != 303 and "<h1" not in answer.text
        ):
            walls.append(f"{page} leads to {address}: {answer.status_code}")
    assert not walls, "\n".join(walls)
