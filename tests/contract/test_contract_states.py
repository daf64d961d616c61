"""Every reading route, called for every round, model, dataset and person, in all of their states.

Names and ids are gathered from the answers themselves, so that a new state or list is included at once.
"""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice, product
from typing import Any
from urllib.parse import quote

import pytest
import urllib3
from dynabench_client import Dynabench
from dynabench_common.http.contracts import Answered

from tests.published import WITH_DOCUMENT, contracts, document_of
from tests.scenarios import TARGET, own_task, record

MOST = 40
"""Limits of values of a parameter, and of combinations, in calls of a route."""
PASSES = 3
"""Rounds of calls: the first finds the ids in lists, the second those of their parts."""
NAMED_LIKE = {"task_slug": "slug", "task": "slug", "model": "name"}
"""Members with the value of a parameter of another name."""
PARAMETER = re.compile(r"\{(\w+)\}")


@pytest.fixture(scope="module")
def admin(platform: Any) -> Dynabench:
    """An administrator, once there is a round in each state."""
    client = Dynabench(platform.url, user_name="admin", password=platform.sign_ins()["admin"]["password"])
    task = own_task(platform.url, client)
    annotation = task.owner.client.annotation
    annotation.create_round(task.slug, [])
    annotation.create_round(task.slug, [TARGET])
    paused, closed = task.open_round(()), task.open_round()
    annotation.set_round_state(paused, "paused", reason="Lunch.")
    annotation.set_round_state(closed, "closed")
    task.open_round()
    votes = [{"label": "negative", "voter": name} for name in ("one", "two")]
    task.bring_in(record(number, author="three", votes=votes) for number in range(3))
    return client


def operations() -> Iterator[tuple[str, str, Sequence[str]]]:
    """Yield of each GET its service, the address with its parameters, and its required query."""
    for service in WITH_DOCUMENT:
        for path, methods in document_of(service)["paths"].items():
            if "get" in methods:
                declared = methods["get"].get("parameters", ())
                yield (
                    service,
                    path,
                    [each["name"] for each in declared if each["in"] == "query" and each["required"]],
                )


def gather(found: Any, known: dict[str, dict[str, None]]) -> None:
    """Record every text and number of an answer under its name, in order."""
    for key, value in found.items() if isinstance(found, dict) else ():
        if isinstance(value, str | int) and value != "":
            known[str(NAMED_LIKE.get(key, key))].setdefault(str(value))
        gather(value, known)
    for value in found if isinstance(found, list) else ():
        gather(value, known)


def addresses(path: str, needed: Sequence[str], known: Mapping[str, Mapping[str, None]]) -> Iterator[str]:
    """Yield the operation's address for each combination of known values, with its required query."""
    names = [*PARAMETER.findall(path), *needed]
    for values in islice(product(*(list(known[name])[:MOST] for name in names)), MOST):
        given = dict(zip(names, (quote(value, safe="") for value in values), strict=True))
        query = "&".join(f"{name}={given[name]}" for name in needed)
        yield path.format(**given) + (f"?{query}" if query else "")


@pytest.mark.long
def test_every_route_answers_about_everything_in_every_state(platform: Any, admin: Dynabench) -> None:
    password = platform.sign_ins()["admin"]["password"]
    token = Dynabench(platform.url).accounts.sign_in("admin", password).access_token
    known: dict[str, dict[str, None]] = defaultdict(dict)
    asked: set[str] = set()
    answering: set[str] = set()
    broken: list[str] = []
    for _ in range(PASSES):
        for service, path, needed in operations():
            for address in set(addresses(path, needed, known)) - asked:
                asked.add(address)
                answer = urllib3.request(
                    "GET",
                    platform.url + address,
                    headers={"Authorization": f"Bearer {token}"},
                    redirect=False,
                    timeout=60,
                )
                is_json = answer.headers.get("Content-Type", "").partition(";")[0].endswith("json")
                answered = Answered(answer.status, answer.headers, answer.data if is_json else b"")
                broken += contracts()[service].breaches("GET", address.partition("?")[0], answered)
                if answer.status == 500:
                    broken.append(f"{address}: {answer.data[:300]!r}")
                if answer.status == 200:
                    answering.add(path)
                    gather(answer.json() if is_json else None, known)
    assert broken == []
    assert len(answering) > len(list(operations())) / 2, answering
