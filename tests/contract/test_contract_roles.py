"""Every route, called without permission: visitors, annotators, and the owner of another task.

The routes and their permissions are those of the services' code, so a new one is included at once. The table grants
permissions to roles; where that depends on the task, an owner of another task is refused as well.
"""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any
from uuid import uuid4

import pytest
import urllib3
from dynabench_client import Dynabench
from dynabench_common.auth.authentication import ANONYMOUS, Principal
from dynabench_common.auth.permissions import ATTRIBUTE, Permission, is_allowed

from tests.published import WITH_DATABASE, WITH_DOCUMENT, app_of
from tests.scenarios import PASSWORD, OwnTask, own_task, record, sign_up

ANNOTATOR = Principal(uuid4(), frozenset({"annotator"}))
FOREIGN_OWNER = Principal(uuid4(), frozenset({"annotator", "owner:another"}))
WHY = {"reason": "Because."}
OF_NO_TASK = {
    "/api/annotation/v1/configuration-checks": "nothing of a task is read",
    "/api/accounts/v1/people/named": "people are of no task",
    "/api/leaderboard/v1/standings": "lists the caller's own rounds",
    "/api/crowd/v1/platforms": "about the service",
    "/api/accounts/v1/groups": "lists and makes the caller's own groups",
    **{f"/api/{name}/v1/dead-letters": "about the service" for name in WITH_DATABASE},
    **{f"/api/{name}/v1/dead-letters/records": "about the service" for name in WITH_DATABASE},
}
"""Routes open to every owner, each with the reason."""
QUERIES = {
    "/state/preview": "to=closed",
    "/audit": "task={slug}",
    "/work-counts": "round_id={round_id}",
    "/people/named": "user_name=ada",
}
PAY = {
    "work": "create",
    "platform": "prolific",
    "units": 5,
    "places": 12,
    "reward_minor": 150,
    "bonus_minor": 30,
    "currency": "GBP",
}
WORKER = {"person_id": "{person_id}", "name": "ada"}
AMOUNT = {"units": 3, "due_on": "2099-01-09"}
CAMPAIGN = {**PAY, "title": "Fool a model", "minutes": 30}
BODIES: Mapping[str, object] = {
    "/tasks/<slug>/members": {"user_name": "nobody-here"},
    "/tasks/<slug>/invitations": {"days": 1, "uses": 1},
    "/groups": {"name": "Linguists"},
    "/groups/<group_id>/people": {"user_name": "nobody-here"},
    "/rounds/<round_id>/estimates": PAY,
    "/rounds/<round_id>/campaigns": CAMPAIGN,
    "/campaigns/<campaign_id>": CAMPAIGN,
    "/campaigns/<campaign_id>/state": {"state": "running"},
    "/campaigns/<campaign_id>/places": {"places": 20},
    "/campaigns/<campaign_id>/payments": {"total_minor": 0},
    "/campaigns/<campaign_id>/top-up": {"amount_minor": 60},
    "/assignments/<assignment_id>/fair-play": {"decision": "no_concern", **WHY},
    "/assignments/<assignment_id>/appeal": {"text": "We share a flat."},
    "/assignments/<assignment_id>/rejection": {
        "category": "low_effort",
        "reason": "All texts are equal. " * 5,
    },
    "/tasks": {"configuration": "{configuration}"},
    "/tasks/<slug>/configuration": {"configuration": "slug: a"},
    "/tasks/<slug>/rounds": {"targets": []},
    "/tasks/<slug>/imports/<path:source>": {"targets": [], "origin": "imported"},
    "/rounds/<round_id>/contexts": {"contexts": [{"fields": {"prompt": "By the sea."}}]},
    "/rounds/<round_id>/state": {"state": "open", **WHY},
    "/rounds/<round_id>/targets": {"targets": [], **WHY},
    "/rounds/<round_id>/requeue": {"example_ids": ["{example_id}"], **WHY},
    "/rounds/<uuid:round_id>/releases": {"licence": "CC0-1.0"},
    "/rounds/<round_id>/work-orders": {"people": [WORKER], "activity": "create", **AMOUNT},
    "/work-orders/<order_id>/reassignment": {**WORKER, **AMOUNT},
    "/examples/<example_id>/adjudication": {"kind": "flag", **WHY},
    "/examples/<example_id>/duplicate-overruling": WHY,
    "/public-examples/<uuid:example_id>/kept": WHY,
    "/public-examples/<uuid:example_id>/shown": WHY,
    "/starter-models": {"task": "{slug}", "model": "a", "examples": []},
    "/submissions/<uuid:submission_id>/decision": {"approve": True, **WHY},
    "/tasks/<slug>/gold": {"kind": "attention", "context": {}, "input": {}, "answer": "positive"},
    "/tasks/<slug>/validators/<voter_id>": {"state": "paused", **WHY},
    "/models/<string:name>:predict": {"instances": [{"text": "a"}]},
    "/models/<string:name>:explain": {"instances": [{"text": "a"}]},
}
"""Bodies for routes that depend on a task, so that only the caller is at fault; uploads are sent empty."""
MADE_UP = (
    "/evaluation-datasets/<uuid:dataset_id>/suspects",
    "/gold/<gold_id>",
    "/groups/<group_id>",
    "/groups/<group_id>/people",
    "/groups/<group_id>/people/<person_id>",
    "/releases/<uuid:release_id>",
    "/submissions/<uuid:submission_id>/decision",
    "/submissions/<uuid:submission_id>/retirement",
)
MADE_UP_IDS = ("<campaign_id>", "<assignment_id>", "<payment_id>", "<order_id>")
PARAMETER = re.compile(r"<(?:\w+:)?(\w+)>")
VERSION = re.compile(r"/v\d+(?=/|$)")
UPLOADS = ("/contexts/upload", "/records", "/records/check", "/harvest")


@dataclass(frozen=True)
class Route:
    """A route with its permission and body."""

    method: str
    rule: str
    permission: Permission

    def __str__(self) -> str:
        return f"{self.method} {self.rule}"


def routes() -> Iterator[Route]:
    for service in WITH_DOCUMENT:
        app = app_of(service)
        for rule in app.url_map.iter_rules():
            permission = getattr(app.view_functions[rule.endpoint], ATTRIBUTE, None)
            if isinstance(permission, Permission):
                for method in sorted((rule.methods or set()) - {"HEAD", "OPTIONS"}):
                    yield Route(method, rule.rule, permission)


ROUTES = list(routes())


def is_of_a_task(route: Route) -> bool:
    """Return whether owners may use it, on their own task only."""
    allows_owners = is_allowed(route.permission, FOREIGN_OWNER)
    return allows_owners and not is_allowed(route.permission, FOREIGN_OWNER, "a task of somebody else")


@pytest.fixture(scope="module")
def admin(platform: Any) -> Dynabench:
    return Dynabench(platform.url, user_name="admin", password=platform.sign_ins()["admin"]["password"])


@pytest.fixture(scope="module")
def known(platform: Any, admin: Dynabench) -> dict[str, str]:
    """A task with a round and an example that has votes, by the names of path parameters."""
    task: OwnTask = own_task(platform.url, admin)
    votes = [{"label": "negative", "voter": "one"}, {"label": "positive", "voter": "two"}]
    round_id = task.bring_in(record(number, author="three", votes=votes) for number in range(3))
    example_id = task.owner.client.annotation.examples(round_id, author="all").items[0].example_id
    target = admin.annotation.round(round_id).targets[0]
    configuration = admin.annotation.version(task.slug, 1).yaml
    return {
        "slug": task.slug,
        "round_id": round_id,
        "example_id": example_id,
        "name": target,
        "configuration": configuration,
        "person_id": str(uuid4()),
        "source": "anything",
    }


@pytest.fixture(scope="module")
def foreign_token(platform: Any, admin: Dynabench) -> str:
    """The token of the owner of another task."""
    other = own_task(platform.url, admin).owner
    return Dynabench(platform.url).accounts.sign_in(other.user_name, PASSWORD).access_token


@pytest.fixture(scope="module")
def annotator_token(platform: Any) -> str:
    return Dynabench(platform.url).accounts.sign_in(sign_up(platform.url).user_name, PASSWORD).access_token


def ask(url: str, route: Route, known: Mapping[str, str], token: str = "") -> int:
    """Send a request that is valid except for its sender; return the status."""
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    path = PARAMETER.sub(lambda found: known.get(found[1], str(uuid4())), route.rule)
    short = VERSION.split(route.rule, maxsplit=1)[1]
    query = next((text for end, text in QUERIES.items() if short.endswith(end)), "").format(**known)
    body: bytes | None = None
    if route.method in {"POST", "PUT"}:
        is_upload = route.rule.endswith(UPLOADS)
        headers["Content-Type"] = "application/x-ndjson" if is_upload else "application/json"
        text = json.dumps(BODIES.get(short, {}))
        for name in ("example_id", "configuration", "person_id", "slug"):
            text = text.replace(f'"{{{name}}}"', json.dumps(known[name]))
        body = b"" if is_upload else text.encode()
    answer = urllib3.request(route.method, f"{url}{path}?{query}", body=body, headers=headers, timeout=60)
    return answer.status


@pytest.mark.parametrize(
    "route", [each for each in ROUTES if not is_allowed(each.permission, ANONYMOUS)], ids=str
)
def test_visitors_are_asked_to_sign_in(platform: Any, known: dict[str, str], route: Route) -> None:
    assert ask(platform.url, route, known) == 401


@pytest.mark.parametrize(
    "route", [each for each in ROUTES if not is_allowed(each.permission, ANNOTATOR)], ids=str
)
def test_annotators_are_refused_what_owners_and_administrators_do(
    platform: Any, known: dict[str, str], annotator_token: str, route: Route
) -> None:
    assert ask(platform.url, route, known, annotator_token) == 403


@pytest.mark.parametrize(
    "route",
    [each for each in ROUTES if not is_allowed(each.permission, FOREIGN_OWNER) or is_of_a_task(each)],
    ids=str,
)
def test_owners_of_another_task_are_refused(
    platform: Any, known: dict[str, str], foreign_token: str, route: Route
) -> None:
    status = ask(platform.url, route, known, foreign_token)
    if route.rule in OF_NO_TASK:
        assert status != 403
    else:
        # An answer may not reveal whether an object with its own id exists.
        is_made_up = route.rule.endswith(MADE_UP) or any(each in route.rule for each in MADE_UP_IDS)
        assert status in ({403, 404} if is_made_up else {403})


def test_no_exception_is_left_over() -> None:
    rules = {route.rule for route in ROUTES if is_of_a_task(route)}
    assert set(OF_NO_TASK) <= rules
