"""Pages of paid workers, as ratios to the same pages of volunteers: the way in, and fifty people who write at once."""

import http.client
import time
from collections.abc import Callable, Iterator
from functools import partial
from http.cookies import SimpleCookie
from urllib.parse import urlencode, urlsplit

from tests.bench.load import Sample, run
from tests.bench.pages import PRACTISED, TASK
from tests.crowd_platforms.server import CrowdPlatforms
from tests.crowd_workers import Workers
from tests.figures import Figure, at_most, plain
from tests.own_platform import OwnPlatform, console
from tests.scenarios import PASSWORD

PEOPLE = 50
SECONDS, PAUSE, TURNS = 6.0, 3.0, 12
"""Seconds a turn, seconds between a person's pages, turns a group.

The groups alternate in short turns, so that a drift of the machine's speed affects both.
"""
MOST = 1.2
"""Largest ratio of a worker's time to a volunteer's."""


class Window:
    """A person's browser: one connection, and the cookies that the pages set."""

    def __init__(self, url: str) -> None:
        self._parts = urlsplit(url)
        self._connection = http.client.HTTPConnection(str(self._parts.hostname), self._parts.port, timeout=60)
        self._cookies = dict([PRACTISED.split("=", 1)])

    def get(self, path: str) -> bool:
        """Open a page; return whether it came."""
        return self._ask("GET", path)[0] == http.client.OK

    def post(self, path: str, **form: str) -> str:
        """Send a form; return where the answer leads. Raises ValueError if it leads nowhere."""
        status, place = self._ask("POST", path, urlencode(form))
        if status != http.client.SEE_OTHER:
            raise ValueError(f"{path} answered {status}")
        return place

    def _ask(self, method: str, path: str, body: str | None = None) -> tuple[int, str]:
        cookies = "; ".join(f"{name}={value}" for name, value in self._cookies.items())
        headers = {
            "Cookie": cookies,
            "Sec-Fetch-Site": "same-origin",
            "Content-Type": "application/x-www-form-urlencoded",
        }
        self._connection.request(method, path, body, headers)
        answer = self._connection.getresponse()
        answer.read()
        for each in answer.headers.get_all("Set-Cookie", []):
            self._cookies.update({name: found.value for name, found in SimpleCookie(each).items()})
        return answer.status, answer.headers.get("Location", "")


def figures(platform: OwnPlatform) -> Iterator[Figure]:
    """Let people of a campaign and as many volunteers begin one after another, then write at once."""
    practice = CrowdPlatforms(platform.stack.layout.port("crowd_platforms"))
    practice.start()
    try:
        yield from _figures(platform, practice)
    finally:
        practice.stop()


def _figures(platform: OwnPlatform, practice: CrowdPlatforms) -> Iterator[Figure]:
    round_id = next(
        each.round_id for each in platform.owner.annotation.rounds(TASK, limit=200).items if each.is_open
    )
    area, create = platform.owner.crowd, f"/rounds/{round_id}/create"
    campaign_id = area.create(
        round_id, "create", title="Speed", platform="practice", units=5, places=PEOPLE, reward_minor=150,
        currency="GBP", minutes=60,
    ).campaign_id  # fmt: skip
    study_id = str(area.set_state(campaign_id, "running").study_id)
    workers = Workers(platform.url, platform.stack.secrets["service_token_web"], practice)
    entries = []
    for number in range(PEOPLE):
        query = urlsplit(workers.arrive(study_id, f"worker-{number}")["entry_url"]).query
        entries.append(f"/work/{campaign_id}?{query}")
        platform.new_annotator(f"volunteer-{number}")
    paid, volunteers = ([Window(platform.url) for _ in range(PEOPLE)] for _ in range(2))
    entering, signing_in = Sample(), Sample()
    for number in range(PEOPLE):
        _begin(entering, paid[number], create, lambda: paid[number].post(entries[number]))  # noqa: B023
        credentials = {"user_name": f"volunteer-{number}", "password": PASSWORD}
        _begin(
            signing_in,
            volunteers[number],
            create,
            lambda: volunteers[number].post(f"/sign-in?next={create}", **credentials),  # noqa: B023
        )
    yield plain("entry to create page, p50", entering.p50, "ms")
    yield plain("entry to create page, p95", entering.p95, "ms")
    yield at_most(
        "entry to create page over sign-in to create page, p95", entering.p95 / signing_in.p95, "×", MOST
    )
    of_volunteers, of_paid = Sample(), Sample()
    for _ in range(TURNS):
        for people, sample in ((volunteers, of_volunteers), (paid, of_paid)):
            sample.add(run([partial(_open, each, create) for each in people], SECONDS, PAUSE))
    console.print(
        f"create page of {PEOPLE} people: volunteers p95 {of_volunteers.p95:.0f} ms, paid {of_paid.p95:.0f} ms"
    )
    yield plain(f"create page, {PEOPLE} volunteers every 3 s, p95", of_volunteers.p95, "ms")
    yield plain(f"create page, {PEOPLE} paid workers every 3 s, p95", of_paid.p95, "ms")
    yield at_most(
        f"create page, {PEOPLE} paid workers over volunteers, p50", of_paid.p50 / of_volunteers.p50, "×", MOST
    )
    yield at_most(
        f"create page, {PEOPLE} paid workers over volunteers, p95", of_paid.p95 / of_volunteers.p95, "×", MOST
    )
    yield at_most(
        "pages of paid workers and volunteers, failed",
        sum(each.failures for each in (entering, signing_in, of_volunteers, of_paid)),
        "pages",
        0,
    )


def _open(window: Window, path: str, _number: int) -> bool:
    return window.get(path)


def _begin(sample: Sample, window: Window, create: str, enter: Callable[[], str]) -> None:
    """Time the way from a form to the page on which one writes."""
    began = time.perf_counter()
    enter()
    if window.get(create):
        sample.milliseconds.append(1000 * (time.perf_counter() - began))
    else:
        sample.failures += 1
