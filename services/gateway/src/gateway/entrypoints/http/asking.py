"""Shared steps of every request to a model: the caller, the deadline, the cost, and the probe count."""

import re
from typing import Any
from uuid import UUID

from dynabench_common.auth.permissions import Permission, current_principal, is_allowed
from dynabench_common.http.client import ON_BEHALF_OF, UpstreamError
from dynabench_common.http.service import Provided
from flask import g, request
from structlog.contextvars import bind_contextvars

from gateway.domain.coalescer import Lane
from gateway.domain.deadline import HEADER, Call
from gateway.domain.errors import RequestRefused, UnknownModel
from gateway.domain.routes import Route
from gateway.entrypoints.http.connection import has_hung_up
from gateway.service_layer.dependencies import Dependencies
from gateway.service_layer.outages import not_accepted, uncounted

LONGEST_PERSON = 100
CHECKS = "registry"
"""The service that may call models before they are accepted."""
MAX_WAIT_SECONDS = 30
EVALUATION = "X-Evaluation"
"""Header with the id of an evaluation with secret texts."""
WAIT = re.compile(r"(?:^|[,;\s])wait=(\d{1,4})(?:$|[,;\s])")
dependencies = Provided[Dependencies]()


def find_model(name: str) -> Route:
    """Return a model that is visible to the caller. Raises UnknownModel."""
    route = dependencies().routes.find(name)
    if not is_seen(route):
        raise UnknownModel(name)
    return route


def find_accepted(name: str) -> Route:
    """Return a model that the caller may ask: one whose checks are over, or any for these. Raises Unavailable."""
    route = find_model(name)
    if not route.accepted and current_principal().service != CHECKS:
        raise not_accepted(name)
    return route


def is_seen(route: Route) -> bool:
    """Return whether a model is published, the caller's own, or of a task that the caller owns."""
    principal = current_principal()
    if route.private and not principal.sees(route.task):
        return False
    is_own = route.submitted_by is not None and route.submitted_by == str(principal.person_id)
    return route.published or is_own or is_allowed(Permission.ASK_TARGETS, principal, route.task)


def take_tokens(tokens: int) -> None:
    """Charge the tokens to a person, whom a service may name. Raises QuotaUsed."""
    principal = current_principal()
    if not principal.is_service:
        dependencies().quota.take(str(principal.person_id), tokens)


def count_answers(route: Route, texts: int) -> None:
    """Count a person's look at answers before they are sent; services count for their own callers.

    If a round has the model as a target, this is a probe like any other. So an answer that cannot be counted is
    withheld. Raises ModelInTheLoop, and Unavailable if counting fails.
    """
    principal = current_principal()
    if principal.is_service or texts == 0:
        return
    may_ask_targets = is_allowed(Permission.ASK_TARGETS, principal, route.task)
    try:
        dependencies().probes.count(
            route.name, str(principal.person_id), texts, also_in_the_loop=may_ask_targets
        )
    except UpstreamError as err:
        raise uncounted(route.name) from err


def call_of_request() -> Call:
    """Return the caller and the time limits."""
    environ = request.environ
    return Call(
        g.request_id,
        request.headers.get(HEADER),
        _preferred_wait(),
        caller=_served_person(),
        lane=_lane() if current_principal().is_service else Lane.PEOPLE,
        evaluation=_evaluation() if current_principal().is_service else None,
        has_left=lambda: has_hung_up(environ),
    )


def _lane() -> Lane:
    """Return the lane of a service's request."""
    return Lane.EVALUATION if request.headers.get("X-Lane") == Lane.EVALUATION else Lane.PEOPLE


def _evaluation() -> UUID | None:
    """Return the evaluation of a service's request. Raises RequestRefused for an unusable header."""
    named = request.headers.get(EVALUATION)
    try:
        return None if named is None else UUID(named)
    except ValueError:
        raise RequestRefused(
            "evaluation-invalid",
            EVALUATION,
            "it is no UUID",
            "Send the evaluation's id, or leave the header out.",
            status=400,
        ) from None


def _served_person() -> str:
    """Return the served person: the caller, or the one on whose behalf a permitted service calls."""
    principal = current_principal()
    speaks_for_people = is_allowed(Permission.ASK_FOR_PEOPLE, principal)
    named = request.headers.get(ON_BEHALF_OF, "")[:LONGEST_PERSON] if speaks_for_people else ""
    return named or str(principal.person_id or "")


def _preferred_wait() -> float:
    """Return the seconds in `Prefer: wait=<seconds>` (RFC 7240), at most MAX_WAIT_SECONDS."""
    found = WAIT.search(request.headers.get("Prefer", ""))
    return float(min(int(found[1]), MAX_WAIT_SECONDS)) if found else 0.0


def log_with(route: Route, body: Any) -> None:
    """Name the model and the number of instances in the request's log line."""
    instances = body.get("instances") if isinstance(body, dict) else None
    bind_contextvars(model=route.name, instances=len(instances) if isinstance(instances, list) else None)
