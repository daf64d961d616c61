"""Addresses of the interfaces and pages that people read of a large round."""

import http.client
import http.cookies
import time
from collections.abc import Iterator
from urllib.parse import urlencode, urlsplit

from tests.own_platform import OwnPlatform

GROUPS = ("segment", "target", "condition", "cohort", "tag", "week")


def addresses(platform: OwnPlatform, round_id: str) -> Iterator[tuple[str, str]]:
    """Yield a name and an address of each read about the round."""
    number = platform.owner.annotation.round(round_id).number
    board, votes = f"/api/leaderboard/v1/rounds/{round_id}", f"/api/validation/v1/rounds/{round_id}"
    tries, dataset = f"/api/annotation/v1/rounds/{round_id}", f"/api/scoring/v1/rounds/{round_id}"
    for path in ("", "/history", "/matrix", "/effort", "/standing", "/next-round"):
        yield f"leaderboard: round{path.replace('/', ' ')}", board + path
    for group in GROUPS:
        yield f"leaderboard: breakdown by {group}", f"{board}/breakdown?by={group}"
    yield "leaderboard: standings", "/api/leaderboard/v1/standings"
    for path in (
        "/counts",
        "/work/counts",
        "/work?kind=disputed",
        "/examples",
        "/examples?text=the",
        "/examples?verdict=undecided",
        "/examples?disagreement=voters",
        "/agreement",
        "/human-estimate",
        "/votes-advice",
    ):
        yield f"validation: {path.strip('/')}", votes + path
    yield "validation: agreement by condition", f"{votes}/agreement?by=condition"
    yield "validation: work-counts", f"/api/validation/v1/work-counts?round_id={round_id}"
    yield "validation: validators", "/api/validation/v1/tasks/sentiment/validators"
    for path in ("", "/examples?author=all", "/contexts", "/collection", "/state/preview?to=closed"):
        yield f"annotation: round{path.replace('/', ' ').partition('?')[0]}", tries + path
    yield "scoring: release preview", f"{dataset}/release/preview"
    yield "leaderboard: people of the task", "/api/leaderboard/v1/tasks/sentiment/people"
    yield "leaderboard: people of the round", f"{board}/people"
    yield "leaderboard: one's badges", "/api/leaderboard/v1/people/me/badges"
    yield "leaderboard: one's week", "/api/leaderboard/v1/people/me/week"
    yield "page: people of the task", "/tasks/sentiment/people"
    yield "page: round", f"/rounds/{round_id}"
    yield "page: where the round stands", f"/tasks/sentiment/rounds/{number}/standing"
    yield "page: examples of the round", f"/tasks/sentiment/rounds/{number}/examples"
    yield "page: where rounds stand", "/rounds"
    yield "page: rounds of a task", "/tasks/sentiment"


class Reader:
    """A person who reads interfaces by access token and pages by session."""

    def __init__(self, platform: OwnPlatform, user_name: str) -> None:
        parts = urlsplit(platform.url)
        self._connection = http.client.HTTPConnection(str(parts.hostname), parts.port, timeout=120)
        self._token = platform.access_token(user_name)
        self._cookie = self._sign_in(platform.url, user_name, platform.people[user_name]["password"])

    def read(self, address: str) -> float | None:
        """Read an address; return the milliseconds it took, None if it was no success."""
        headers = {"Authorization": f"Bearer {self._token}"}
        if not address.startswith("/api/"):
            headers = {"Cookie": self._cookie}
        began = time.perf_counter()
        self._connection.request("GET", address, headers=headers)
        answer = self._connection.getresponse()
        answer.read()
        took = 1000 * (time.perf_counter() - began)
        return took if answer.status == 200 else None

    def _sign_in(self, origin: str, user_name: str, password: str) -> str:
        form = urlencode({"user_name": user_name, "password": password})
        kind = {"Content-Type": "application/x-www-form-urlencoded", "Origin": origin}
        self._connection.request("POST", "/sign-in", form, kind)
        answer = self._connection.getresponse()
        answer.read()
        jar = http.cookies.SimpleCookie()
        for header in answer.headers.get_all("Set-Cookie") or ():
            jar.load(header)
        return "; ".join(f"{name}={morsel.value}" for name, morsel in jar.items())
