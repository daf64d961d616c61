"""Private tasks: a walk over all routes and pages as strangers, and an owner with a member in a browser.

The walk takes its routes from the services' documents and from the pages' application, so a new one is included at
once. All texts of the task hold MARK. A request for a part of the task must be answered like one for an unknown id.
"""

import itertools
import json
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any
from uuid import uuid4

import pytest
import urllib3
from dynabench_client import Dynabench
from dynabench_common.testing import wait_until
from playwright.sync_api import expect

from tests.published import WITH_DOCUMENT, app_of, document_of
from tests.scenarios import (
    PASSWORD,
    PRAISE,
    TARGET,
    NewAnnotator,
    OwnTask,
    heard_of,
    own_task,
    record,
    sign_up,
    vote,
    write,
)

pytestmark = pytest.mark.slow

MARK = "Xylographie"
SECRET = "Secrets of printing"
POLICY = {"adaptive": {"agree": 2, "max_votes": 3}}
ONCE = {
    "title": f"{MARK} of feelings",
    "public_examples": "at_once",
    "access": "invited",
    "probes": "counted",
}
NAMES = {
    "instructions": f"Read about {MARK} first.",
    "description": f"About {MARK}.",
    "tips": [f"Try {MARK}."],
}
WORDS = {
    "by": "cohort",
    "cursor": "",
    "limit": "50",
    "person_id": str(uuid4()),
    "path": "README.md",
    "q": "feelings",
}
WORDS |= {
    "first": TARGET,
    "second": TARGET,
    "split": "train",
    "text": "feelings",
    "search": "feelings",
    "item_id": "1",
}
OPEN = """field => {
  for (let each = field; each; each = each.parentElement) if (each.tagName === "DETAILS") each.open = true;
}"""
REQUEST_ID = re.compile(rb"[0-9a-f]{32}")
PARAMETER = re.compile(r"<(?:[^:<>]+:)?(\w+)>|\{(\w+)\}")
QUERIES = ("task", "round_id", "dataset_id", "example_id")
NOT_WALKED = ("/healthz", "/static", "/docs", "openapi")


@dataclass(frozen=True)
class Private:
    """A private task with ids of its parts by the names of path parameters."""

    task: OwnTask
    members: list[NewAnnotator]
    ids: Mapping[str, list[str]]


@dataclass
class Reader:
    """Somebody who reads addresses; `token` is empty for nobody."""

    url: str
    token: str = ""
    pool: urllib3.PoolManager = field(default_factory=urllib3.PoolManager)

    def read(self, address: str) -> tuple[int, bytes, bytes]:
        """Return the status, the body and the headers of an answer."""
        headers = {"Authorization": f"Bearer {self.token}", "Cookie": f"dynabench_access={self.token}"}
        answer = self.pool.request(
            "GET", self.url + address, headers=headers if self.token else {}, redirect=False, timeout=60
        )
        kept = {name: value for name, value in answer.headers.items() if name.lower() != "date"}
        return answer.status, answer.data, json.dumps(kept, sort_keys=True).encode()


def reader(url: str, person: NewAnnotator) -> Reader:
    return Reader(url, Dynabench(url).accounts.sign_in(person.user_name, PASSWORD).access_token)


def member(owner: NewAnnotator, slug: str, url: str) -> NewAnnotator:
    person = sign_up(url)
    owner.client.accounts.add_member(slug, person.user_name)
    return person


@pytest.fixture(scope="module")
def private(platform: Any, admin: Dynabench) -> Private:
    """A private task with a played round, a released one, a campaign and shared boards."""
    url = platform.url
    task = own_task(url, admin, {**ONCE, **NAMES}, policy=POLICY)
    owner, slug = task.owner.client, task.slug
    members = [member(task.owner, slug, url) for _ in range(3)]
    area = owner.annotation
    made = area.create_round(slug, [TARGET], f"Round of {MARK}")
    area.add_contexts(made.round_id, [{"fields": {"prompt": f"By the {MARK}."}, "tags": [MARK]}])
    area.set_round_state(made.round_id, "open")
    author, *voters = members
    written = write(author.client, made.round_id, PRAISE.format(MARK), "negative")
    for voter in voters:
        vote(voter.client, made.round_id, {written.example_id: "negative"})
    wait_until(lambda: author.client.public_examples.list(task=slug).items, what="a public example")
    released, dataset_id, release_id = release(task)
    offered = owner.crowd.platforms()[0]
    campaign = owner.crowd.create(
        made.round_id,
        "create",
        title=f"Pay for {MARK}",
        platform=offered.name,
        currency=offered.currencies[0],
        units=5,
        places=12,
        reward_minor=600,
        minutes=30,
    )
    view = owner.leaderboard.save_board_view(slug, f"View of {MARK}")
    context_id = area.example(written.example_id).context_id
    votes = owner.validation.votes(written.example_id).items
    return Private(
        task,
        members,
        {
            "slug": [slug],
            "task": [slug],
            "round_id": [made.round_id, released],
            "number": [str(made.number)],
            "example_id": [written.example_id],
            "context_id": [context_id],
            "vote_id": [each.vote_id for each in votes if each.vote_id][:1],
            "campaign_id": [campaign.campaign_id],
            "view_id": [view.view_id],
            "dataset_id": [dataset_id],
            "release_id": [release_id],
            "person_id": [author.person_id],
            "configuration_version": ["1"],
            "version": ["1"],
        },
    )


def release(task: OwnTask) -> tuple[str, str, str]:
    """Release an imported round, and return its id and those of the dataset and the release."""
    datasets, context = task.owner.client.datasets, {"prompt": f"By the {MARK}."}
    votes = [{"label": "negative", "voter": name} for name in ("one", "two")]
    round_id = task.bring_in(
        record(number, author="three", context=context, votes=votes) for number in range(3)
    )

    def is_allowed() -> bool:
        preview = heard_of(lambda: datasets.preview_release(round_id, dev=0, test=0))
        return preview is not None and preview.allowed

    wait_until(is_allowed, what="scoring to know the round")
    release_id = datasets.release(round_id, dev=0, test=0, licence="CC0-1.0").release_id
    dataset_id = wait_until(lambda: datasets.release_state(release_id).dataset_id, what="the release")
    return round_id, dataset_id, release_id


@dataclass(frozen=True)
class Address:
    """An address about the private task, and the same with ids that nothing has; equal if it has none."""

    real: str
    unknown: str
    route: str


def addresses(found: Private, rules: list[tuple[str, list[str]]]) -> Iterator[Address]:
    """Yield the addresses of routes, each with all known ids, and with each filter of its query that names a part."""
    for route, queries in rules:
        names = [first or second for first, second in PARAMETER.findall(route)]
        for values in itertools.product(
            *(found.ids.get(name, [WORDS.get(name, str(uuid4()))]) for name in names)
        ):
            pairs = dict(zip(names, values, strict=True))
            required = "&".join(f"{name}={WORDS.get(name, '1')}" for name in queries if name not in QUERIES)
            filters = [
                f"{name}={each}" for name in queries if name in QUERIES for each in found.ids.get(name, [])
            ]
            for query in ["", *filters]:
                real = filled(route, pairs)
                real = f"{real}?{'&'.join(filter(None, [required, query]))}".rstrip("?")
                yield Address(real, with_unknown_ids(found, real), route)


def filled(route: str, values: Mapping[str, str]) -> str:
    return PARAMETER.sub(lambda match: values[match[1] or match[2]], route)


def with_unknown_ids(found: Private, address: str) -> str:
    for name in (*QUERIES, "slug", "context_id", "vote_id", "campaign_id", "view_id", "release_id"):
        for value in found.ids.get(name, []):
            address = address.replace(value, UNKNOWN_SLUG if name in ("slug", "task") else UNKNOWN_ID)
    return address


UNKNOWN_ID = str(uuid4())
UNKNOWN_SLUG = f"own-{uuid4().hex[:10]}"


def api_rules() -> list[tuple[str, list[str]]]:
    """Return the GET routes of all services with the parameters of their queries that are required or filter."""
    rules = []
    for service in WITH_DOCUMENT:
        for path, operations in document_of(service)["paths"].items():
            if "get" in operations:
                given = [each for each in operations["get"].get("parameters", ()) if each["in"] == "query"]
                rules.append(
                    (
                        path,
                        [each["name"] for each in given if each.get("required") or each["name"] in QUERIES],
                    )
                )
    return rules


def page_rules() -> list[tuple[str, list[str]]]:
    """Return the routes of pages."""
    return [
        (rule.rule, ["q"] if rule.rule == "/search" else [])
        for rule in app_of("web").url_map.iter_rules()
        if "GET" in (rule.methods or ()) and not any(each in rule.rule for each in NOT_WALKED)
    ]


def normal(found: Private, answer: bytes) -> bytes:
    """Return an answer without the ids that were asked for, and those of the request."""
    for values in found.ids.values():
        for value in values:
            if len(value) > 8:
                answer = answer.replace(value.encode(), b"ID")
    for value in (UNKNOWN_ID, UNKNOWN_SLUG):
        answer = answer.replace(value.encode(), b"ID")
    return REQUEST_ID.sub(b"", answer)


def test_strangers_find_nothing_in_any_answer(platform: Any, private: Private) -> None:
    strangers = [Reader(platform.url), reader(platform.url, sign_up(platform.url))]
    walked = list(addresses(private, api_rules()))
    assert len(walked) > 150
    leaks = []
    for each, stranger in itertools.product(walked, strangers):
        status, body, headers = stranger.read(each.real)
        if MARK.encode() in body or status >= 500:
            leaks.append(f"{status} {each.real}: {body[:300]!r}")
        if each.real != each.unknown and "/people/{person_id}" not in each.route:
            same = stranger.read(each.unknown)
            if (status, normal(private, body)) != (same[0], normal(private, same[1])):
                leaks.append(
                    f"{each.real} tells itself from an unknown id: {status} {body[:200]!r}, {same[:2]!r}"
                )
            if normal(private, headers) != normal(private, same[2]):
                leaks.append(f"{each.real} has other headers: {headers!r}, {same[2]!r}")
    assert leaks == [], "\n".join(leaks)


def test_strangers_find_nothing_on_any_page(platform: Any, private: Private) -> None:
    strangers = [Reader(platform.url), reader(platform.url, sign_up(platform.url))]
    walked = list(addresses(private, page_rules()))
    assert len(walked) > 80
    leaks = []
    for each, stranger in itertools.product(walked, strangers):
        status, body, _ = stranger.read(each.real)
        if MARK.encode() in body or status >= 500:
            leaks.append(f"{status} {each.real}")
        elif each.real != each.unknown and status != stranger.read(each.unknown)[0]:
            leaks.append(
                f"{each.real} tells itself from an unknown id: {status}, {stranger.read(each.unknown)[0]}"
            )
    assert leaks == [], "\n".join(leaks)


def test_members_find_the_task_where_it_is_expected(platform: Any, private: Private) -> None:
    own = reader(platform.url, private.members[0])
    rules = [*api_rules(), *page_rules()]
    found = {each.route for each in addresses(private, rules) if MARK.encode() in own.read(each.real)[1]}
    assert found >= {
        "/",
        "/tasks/<slug>",
        "/api/annotation/v1/tasks",
        "/api/annotation/v1/tasks/{slug}",
        "/api/annotation/v1/rounds/{round_id}",
        "/api/leaderboard/v1/tasks",
        "/api/leaderboard/v1/people/me/rounds",
        "/api/scoring/v1/public-examples",
        "/api/scoring/v1/public-examples/{example_id}",
        "/api/scoring/v1/people/me/export",
    }, sorted(found)


def test_an_owner_lets_one_person_in_by_a_link_and_removes_them_in_mid_session(
    platform: Any, admin: Dynabench, new_member: Callable[..., Any]
) -> None:
    task = own_task(platform.url, admin, {"title": SECRET})
    round_id = task.open_round()
    owner, guest, late = new_member(person=task.owner), new_member(), new_member()
    for each in (owner, guest, late):
        each.sign_in()
    path = f"/tasks/{task.slug}"
    expect(guest.open(path).get_by_role("heading", level=1)).to_contain_text(SECRET)

    owner.open(f"{path}/members")
    owner.page.get_by_role("link", name="Edit the configuration").click()
    choice = owner.page.locator("[name='at/access']")
    choice.evaluate(OPEN)
    choice.select_option("invited")
    expect(owner.page.locator("#configuration")).to_have_value(re.compile("access: invited"))
    owner.page.click("button[value=save].primary")
    expect(owner.page).to_have_url(re.compile("notice="))
    wait_until(
        lambda: SECRET not in guest.open("/").content(), what="the task to be gone from the front page"
    )
    for gone in ("/", "/search?q=printing", "/ranks", "/examples", "/datasets"):
        expect(guest.open(gone).locator("body")).not_to_contain_text(SECRET)
    assert guest.page.goto(platform.url + path).status == 404
    assert guest.page.goto(f"{platform.url}/rounds/{round_id}").status == 404

    owner.open(f"{path}/members")
    owner.page.get_by_role("button", name="Make a link").click()
    link = owner.page.locator("#invitation").input_value()
    guest.page.goto(link)
    guest.page.get_by_role("button", name="Join the task").click()
    expect(guest.page.get_by_role("heading", level=1)).to_contain_text(SECRET)
    create = guest.open(f"/rounds/{round_id}/create")
    create.fill("[name='input.text']", PRAISE.format("soup"))
    create.check("[name='input.label'][value=negative]", force=True)
    create.click("#try-form button[value=submit]")
    expect(create.locator("#verdict-heading")).to_be_visible()

    late.page.goto(link)
    expect(late.page.locator("main")).to_contain_text("Invitation used up")
    assert late.page.goto(platform.url + path).status == 404

    owner.open(f"{path}/members")
    owner.page.get_by_role("button", name=f"Remove {guest.user_name}").click()
    expect(owner.page.locator("main")).to_contain_text("no longer a member")
    wait_until(lambda: guest.page.goto(platform.url + path).status == 404, what="the removal to count")
    expect(guest.open("/").locator("body")).not_to_contain_text(SECRET)
