"""Collaborators of the routes, chosen once in `bootstrap`.

They keep state: caches, queues, circuit breakers and connections. So a route calls a method of one of them.
"""

from dataclasses import dataclass

from dynabench_common.auth.authentication import Authenticates

from gateway.adapters.other_services import HttpProbeCounter
from gateway.domain.quota import TokenQuota
from gateway.service_layer.explanations import Explanations
from gateway.service_layer.predictions import Predictions
from gateway.service_layer.route_cache import RouteCache


@dataclass(frozen=True)
class Dependencies:
    """Everything that a route may use."""

    routes: RouteCache
    predictions: Predictions
    explanations: Explanations
    probes: HttpProbeCounter
    quota: TokenQuota
    verifier: Authenticates
