"""The one place that builds clients, dispatchers and caches."""

import time
from collections.abc import Callable, Mapping

from dynabench_common.auth.authentication import remote_verifier
from dynabench_common.http.client import JsonClient

from gateway.adapters.api_tokens import ApiTokens
from gateway.adapters.open_inference import OpenInference
from gateway.adapters.other_services import HttpProbeCounter, HttpRegistry
from gateway.adapters.shared_balances import shared_balances
from gateway.adapters.torchserve import InferenceKey, TorchServe
from gateway.domain.breaker import CircuitBreaker
from gateway.domain.cache import BoundedCache
from gateway.domain.coalescer import EVALUATION_INSTANCES, Coalescer
from gateway.domain.quota import TokenQuota
from gateway.domain.routes import share_of
from gateway.service_layer.dependencies import Dependencies
from gateway.service_layer.explanations import Explanations
from gateway.service_layer.model_dispatcher import ModelDispatcher, PendingChunk
from gateway.service_layer.model_servers import ServersByPlace
from gateway.service_layer.ports import ModelServer
from gateway.service_layer.predictions import PredictionMetrics, Predictions
from gateway.service_layer.route_cache import RouteCache
from gateway.service_layer.workers import Workers
from gateway.settings import GatewaySettings, Runtime

REGISTRY_SECONDS = 3.0
COUNTING_SECONDS = 3.0
EXCHANGE_SECONDS = 3.0


def build_dependencies(settings: GatewaySettings) -> Dependencies:
    """Return what the HTTP process needs."""
    server = _shared_pool(settings)
    servers = ServersByPlace(server)
    registry = HttpRegistry(
        JsonClient(settings.registry_url, REGISTRY_SECONDS, settings.service_token, pool_size=4),
        settings.sharers,
    )
    routes = RouteCache(registry, settings.routes_seconds, servers.keep_only)
    workers = Workers(registry, routes, time.monotonic)

    def new_breaker() -> CircuitBreaker:
        return CircuitBreaker(settings.breaker_failures, settings.breaker_open_seconds, time.monotonic)

    def new_dispatcher() -> ModelDispatcher:
        evaluation_instances = share_of(EVALUATION_INSTANCES, settings.sharers)
        coalescer: Coalescer[PendingChunk] = Coalescer(1, settings.coalesce_instances, evaluation_instances)
        return ModelDispatcher(servers.at, coalescer, new_breaker(), time.monotonic, settings.sharers)

    return Dependencies(
        routes=routes,
        predictions=Predictions(new_dispatcher, workers, settings.deadline_milliseconds, PredictionMetrics()),
        explanations=Explanations(
            server,
            workers,
            BoundedCache(settings.explanation_cache_entries, settings.explanation_cache_bytes),
            new_breaker,
            settings.explain_deadline_milliseconds,
            time.monotonic,
        ),
        probes=HttpProbeCounter(
            JsonClient(settings.annotation_url, COUNTING_SECONDS, settings.service_token, pool_size=4)
        ),
        quota=TokenQuota(settings.own_tokens_per_minute, time.monotonic, shared_balances()),
        verifier=_verifier(settings),
    )


def _shared_pool(settings: GatewaySettings) -> ModelServer:
    """Return the server of the models that share one, on the runtime that the settings choose."""
    servers: Mapping[Runtime, Callable[[str, InferenceKey, int], ModelServer]] = {
        Runtime.TORCHSERVE: TorchServe,
        Runtime.OPEN_INFERENCE: OpenInference,
    }
    url, key_file = settings.shared_pool
    new_server = servers[settings.shared_pool_runtime]
    return new_server(url, InferenceKey(key_file), settings.torchserve_connections)


def _verifier(settings: GatewaySettings) -> ApiTokens:
    """Return the authentication of callers; accounts publishes the keys and exchanges API tokens."""
    accounts = settings.jwks_url.rpartition("/")[0]
    return ApiTokens(
        remote_verifier(settings),
        JsonClient(accounts, EXCHANGE_SECONDS, pool_size=4),
        time.monotonic,
    )
