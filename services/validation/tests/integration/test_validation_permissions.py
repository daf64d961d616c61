"""Permissions of every route."""

from typing import Any
from uuid import uuid4

import pytest
from dynabench_common.auth.permissions import ATTRIBUTE
from dynabench_common.testing import Issuer, service_headers

from .conftest import World

API = "/api/validation/v1"
LEASES = ("POST", "/rounds/{id}/leases")
RENEW = ("PUT", "/leases/{id}")
SKIP = ("DELETE", "/leases/{id}")
VOTE = ("POST", "/leases/{id}/votes")
REVEAL = ("POST", "/votes/{id}/reveal")
UNDO = ("DELETE", "/votes/{id}")
CHANGE = ("PUT", "/votes/{id}")
JUDGE = ("PUT", "/votes/{id}/judgement")
EXAMPLE = ("GET", "/examples/{id}")
VOTES = ("GET", "/examples/{id}/votes")
APPEAL = ("POST", "/examples/{id}/appeal")
THREAD = ("GET", "/examples/{id}/messages")
WRITE = ("POST", "/examples/{id}/messages")
ONBOARDING = ("GET", "/tasks/{id}/onboarding")
CONFIRM = ("POST", "/tasks/{id}/onboarding/confirmation")
START = ("POST", "/tasks/{id}/onboarding/attempts")
ANSWER = ("POST", "/tasks/{id}/onboarding/attempts/{id}/answers")
QUESTIONS = ("GET", "/tasks/{id}/onboarding/questions")
TRAINEES = ("GET", "/tasks/{id}/onboarding/people")
ADJUDICATE = ("PUT", "/examples/{id}/adjudication")
REVERSE = ("DELETE", "/examples/{id}/adjudication")
ROUND_EXAMPLES = ("GET", "/rounds/{id}/examples")
ABSTAIN = ("PUT", "/examples/{id}/abstention")
WORK = ("GET", "/rounds/{id}/work")
WORK_COUNTS = ("GET", "/rounds/{id}/work/counts")
ROUNDS_WORK_COUNTS = ("GET", "/work-counts?round_id={id}")
REQUEUE = ("POST", "/rounds/{id}/requeue")
COUNTS = ("GET", "/rounds/{id}/counts")
ME = ("GET", "/rounds/{id}/me")
OWN_VOTES = ("GET", "/rounds/{id}/me/votes")
VOTE_COUNT = ("GET", "/rounds/{id}/voters/{id}/count?since=2026-01-01T00:00:00Z")
WAITING = ("GET", "/people/me/waiting")
OWN_DATA = ("GET", "/people/me/data")
PAUSE_APPEAL = ("POST", "/rounds/{id}/me/pause-appeal")
AGREEMENT = ("GET", "/rounds/{id}/agreement")
ESTIMATE = ("GET", "/rounds/{id}/human-estimate")
PAIRS = ("GET", "/rounds/{id}/validators/pairs")
ADVICE = ("GET", "/rounds/{id}/votes-advice")
GOLD = ("GET", "/tasks/{id}/gold")
ADD_GOLD = ("POST", "/tasks/{id}/gold")
REFRESH_GOLD = ("POST", "/rounds/{id}/gold/refresh")
RETIRE_GOLD = ("DELETE", "/gold/{id}")
VALIDATORS = ("GET", "/tasks/{id}/validators")
DECIDE = ("PUT", "/tasks/{id}/validators/{id}")
STANDINGS = ("GET", "/people/{id}/standings")
DEAD_LETTERS = ("GET", "/dead-letters")
RECORDS = ("GET", "/dead-letters/records")
REDRIVE = ("POST", "/dead-letters/records/{id}/redrive")
DISCARD = ("POST", "/dead-letters/records/{id}/discard")
PUBLIC = {COUNTS, AGREEMENT, ESTIMATE}
READ = {EXAMPLE, VOTES, *PUBLIC}
OWN = {ME, OWN_VOTES, VOTE_COUNT, WAITING, OWN_DATA, APPEAL, PAUSE_APPEAL, THREAD, WRITE, ONBOARDING, *READ}
OWNED = {
    ADJUDICATE,
    REVERSE,
    ROUND_EXAMPLES,
    ABSTAIN,
    WORK,
    WORK_COUNTS,
    ROUNDS_WORK_COUNTS,
    REQUEUE,
    PAIRS,
    ADVICE,
    GOLD,
    ADD_GOLD,
    REFRESH_GOLD,
    RETIRE_GOLD,
    VALIDATORS,
    DECIDE,
    QUESTIONS,
    TRAINEES,
}
VALIDATE = {LEASES, RENEW, SKIP, VOTE, REVEAL, UNDO, CHANGE, JUDGE, CONFIRM, START, ANSWER}
HEALTH = {DEAD_LETTERS, RECORDS}
OPERATED = {REDRIVE, DISCARD}
ROUTES = sorted({STANDINGS, *HEALTH, *OPERATED, *OWN, *OWNED, *VALIDATE})
WHY = {"reason": "Because."}
ATTENTION = {"kind": "attention", "context": {}, "input": {}, "answer": "x"}
BODIES: dict[tuple[str, str], dict[str, Any]] = {
    VOTE: {"kind": "unsure"},
    CHANGE: {"kind": "unsure"},
    JUDGE: {"agrees": True},
    APPEAL: WHY,
    PAUSE_APPEAL: WHY,
    ADJUDICATE: {"kind": "flag", **WHY},
    DISCARD: WHY,
    WRITE: {"text": "Why was it rejected?"},
    CONFIRM: {"guidelines_version": 1},
    ANSWER: {"number": 1, "option": "positive"},
    REQUEUE: {"example_ids": [str(uuid4())], **WHY},
    ADD_GOLD: ATTENTION,
    DECIDE: {"state": "paused", **WHY},
}


def call(world: World, route: tuple[str, str], headers: dict[str, str]) -> int:
    method, path = route
    response = world.http.open(
        API + path.format(id=uuid4()), method=method, json=BODIES.get(route), headers=headers
    )
    status: int = response.status_code
    return status


@pytest.mark.parametrize(
    ("who", "refused_with", "may"),
    [
        # Visitors see figures of rounds, and nothing of single people or examples.
        ("visitor", 401, PUBLIC),
        # An annotator does all of a validator's work; which example's votes one sees depends on the example.
        ("annotator", 403, OWN | VALIDATE),
        # A person without that role reads, and appeals about their own.
        ("person", 403, OWN),
        # No service asks validation as itself: each sees what visitors do.
        ("service", 403, PUBLIC),
        # An administrator does what the owner of any task does and operates; to validate takes an annotator.
        ("admin", 403, OWN | OWNED | OPERATED),
    ],
)
def test_who_may_call_what(world: World, who: str, refused_with: int, may: set[tuple[str, str]]) -> None:
    headers = {
        "visitor": {},
        "annotator": world.issuer.headers(uuid4()),
        "person": world.issuer.headers(uuid4(), []),
        "admin": world.issuer.headers(uuid4(), ["admin"]),
        "service": service_headers("gateway"),
    }[who]
    statuses = {route: call(world, route, headers) for route in ROUTES}
    expected = {route: 404 if route in may else refused_with for route in ROUTES}
    if ROUNDS_WORK_COUNTS in may:
        # Of several rounds, one that is not known is left out.
        expected[ROUNDS_WORK_COUNTS] = 200
    if WAITING in may:
        # Nothing waits in no round.
        expected[WAITING] = 200
    if OWN_DATA in may:
        # Nothing is kept about somebody new.
        expected[OWN_DATA] = 200
    if who == "admin":
        # Whoever never voted stands in no task.
        expected[STANDINGS] = 200
    assert statuses == expected | (dict.fromkeys(HEALTH, 200) if who == "admin" else {})


@pytest.mark.parametrize("route", [route for route in ROUTES if route not in PUBLIC])
def test_forged_and_expired_tokens(world: World, route: tuple[str, str]) -> None:
    assert call(world, route, Issuer().headers(uuid4())) == 401
    assert call(world, route, world.issuer.headers(uuid4(), lifetime_seconds=-1)) == 401
    assert call(world, route, {"Authorization": "Bearer"}) == 401
    assert call(world, route, world.issuer.headers(uuid4(), aud="elsewhere")) == 401


def test_every_route_names_its_permission(world: World) -> None:
    views = world.http.application.view_functions
    own = [
        views[rule.endpoint]
        for rule in world.http.application.url_map.iter_rules()
        if rule.rule.startswith(API)
    ]
    assert len(own) == len(ROUTES)
    for view in own:
        assert hasattr(view, ATTRIBUTE)


def test_owners_and_admins_read_votes(world: World) -> None:
    world.begin()
    example_id = world.example()
    path = f"{API}/examples/{example_id}/votes"
    assert world.http.get(path, headers=service_headers("gateway")).status_code == 403
    assert world.person("admin").get(f"/examples/{example_id}/votes").status_code == 200
    assert world.person("owner:sentiment").get(f"/examples/{example_id}/votes").status_code == 200
    assert world.person("annotator").get(f"/examples/{example_id}/votes").status_code == 403


def test_health_and_description(world: World) -> None:
    assert world.http.get("/healthz/live").status_code == 200
    assert world.http.get("/healthz/ready").status_code == 200
    described = world.http.get("/api/validation/openapi.json").get_json()
    assert f"{API}/leases/{{lease_id}}/votes" in described["paths"]
