"""Calls allowed between services: every route with every service's token, and the table against the arrows."""

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, cast

import pytest
import yaml
from dynabench_common.auth.permissions import ATTRIBUTE, SERVICES, Permission
from dynabench_common.service_tokens import CALLERS
from dynabench_common.testing import Issuer, service_headers
from dynabench_local.services import CALLED
from flask import Flask
from model_agent.entrypoints.http.app import create_app

from tests.published import WITH_DOCUMENT, app_of

ROOT = Path(__file__).parents[2]
LISTENERS = (*WITH_DOCUMENT, "agent")
PERSONAL = sorted({*WITH_DOCUMENT} - {"accounts", "crowd"})
"""The services that web calls with a person's own access token alone."""
PARAMETER = re.compile(r"<(?:\w+:)?(\w+)>")
WITHIN = {Permission.ASK_TARGETS: Permission.USE_MODELS, Permission.ASK_FOR_PEOPLE: Permission.USE_MODELS}
"""Permissions without a route: further rights of a service on routes of another."""
WITHOUT_RIGHTS = {
    ("accounts", "leaderboard"): "figures of rounds are public",
    ("annotation", "leaderboard"): "which models are proposed as targets is public",
    ("scoring", "annotation"): "pictures are shown to anybody who has their id",
    **{("web", listener): "with the person's own access token" for listener in PERSONAL},
}
"""Calls that need no right of a service, with the reason."""


@cache
def listening(service: str) -> Flask:
    """Return the app of a service; the agent's lacks its collaborators, so an admitted call fails there."""
    if service == "agent":
        return create_app(cast(Any, None), cast(Any, None), Issuer().verifier())
    return app_of(service)


def routes(service: str) -> Iterator[tuple[str, str, Permission]]:
    app = listening(service)
    for rule in app.url_map.iter_rules():
        permission = getattr(app.view_functions[rule.endpoint], ATTRIBUTE, None)
        if isinstance(permission, Permission):
            for method in sorted((rule.methods or set()) - {"HEAD", "OPTIONS"}):
                yield method, rule.rule, permission


def is_refused(listener: str, caller: str, method: str, rule: str) -> bool:
    """Return whether a service is refused for lack of permission only."""
    path = PARAMETER.sub("00000000-0000-7000-8000-000000000000", rule)
    answer = listening(listener).test_client().open(path, method=method, headers=service_headers(caller))
    document = answer.get_json(silent=True) or {}
    is_not_allowed = document.get("type") == "/problems/not-allowed"
    assert is_not_allowed == (answer.status_code == 403), (caller, method, rule, document)
    assert not is_not_allowed or f"The service {caller} may not" in document["detail"]
    assert answer.status_code != 401, (caller, method, rule)
    return is_not_allowed


@pytest.mark.parametrize("listener", LISTENERS)
def test_every_route_for_services_lets_in_those_that_the_table_names_and_no_other(listener: str) -> None:
    let_in, named = set(), set()
    for method, rule, permission in routes(listener):
        if permission in SERVICES:
            named |= {(caller, method, rule) for caller in SERVICES[permission]}
            let_in |= {
                (caller, method, rule) for caller in CALLERS if not is_refused(listener, caller, method, rule)
            }
    assert let_in == named


@pytest.mark.parametrize("listener", LISTENERS)
def test_what_only_people_may_is_refused_to_every_service(listener: str) -> None:
    open_to_all = {Permission.READ_PUBLIC, Permission.SIGN_UP, Permission.READ_DATASET}
    open_to_all |= {Permission.ASK_FRONT_MODEL, Permission.USE_PAGES}
    peoples = [
        (method, rule)
        for method, rule, permission in routes(listener)
        if permission not in {*SERVICES, *open_to_all}
    ]
    assert [
        (caller, rule)
        for method, rule in peoples
        for caller in CALLERS
        if not is_refused(listener, caller, method, rule)
    ] == []


def rights() -> set[tuple[str, str]]:
    """Return the allowed calls between services, by the permission table."""
    return {
        (caller, listener)
        for listener in LISTENERS
        for _, _, permission in routes(listener)
        for caller in SERVICES.get(permission, ())
    }


def drawn() -> set[tuple[str, str]]:
    """Return the calls between services, by the table of processes."""
    processes = yaml.safe_load((ROOT / "helm/dynabench/files/processes.yaml").read_text())
    return {
        (process["service"], listener)
        for process in processes.values()
        for listener in process.get("calls", ())
        if listener != "torchserve"
    }


def test_services_have_rights_where_they_call_and_nowhere_else() -> None:
    assert set(WITHOUT_RIGHTS) <= drawn()
    assert rights() == drawn() - set(WITHOUT_RIGHTS)


def test_every_permission_is_required_by_a_route() -> None:
    asked = {permission for listener in LISTENERS for _, _, permission in routes(listener)}
    assert set(SERVICES) - asked == set(WITHIN)
    for permission, route in WITHIN.items():
        assert SERVICES[permission] <= SERVICES[route]


def test_digests_are_held_by_those_who_are_called() -> None:
    assert set(CALLED) == {listener for _, listener in rights()}
