"""Limits of models hold for all gateways together, of which each has its share."""

from collections import Counter

import pytest
from gateway.adapters.other_services import HttpRegistry
from gateway.domain.routes import share_of, share_of_workers
from gateway.settings import GatewaySettings
from hypothesis import given
from hypothesis import strategies as st

MODEL = {
    **dict.fromkeys(("name", "version", "task", "task_type", "model_digest", "handler_digest"), "x"),
    **{"state": "ready", "serving_name": "x", "start": "always", "fields": ["text"], "labels": []},
    **{"workers": 4, "max_in_flight": 32, "max_characters": 100, "response_timeout_seconds": 10},
    **{
        "published": True,
        "explain": {"serving_name": "e", "state": "ready", "max_in_flight": 2, "max_characters": 9},
    },
}


class Client:
    """Answers as the registry does."""

    def call(self, *_: object) -> dict[str, object]:
        return {"models": [MODEL]}


@given(st.integers(1, 10_000), st.integers(1, 50))
def test_shares_together_keep_the_limit_unless_it_is_less_than_one_for_each(limit: int, among: int) -> None:
    assert share_of(limit, among) * among <= max(limit, among)
    assert limit <= share_of_workers(limit, among) * among < limit + among


@pytest.mark.parametrize(("replicas", "processes"), [(1, 1), (3, 1), (2, 2)])
def test_a_gateway_takes_its_share_of_what_the_registry_allows(
    monkeypatch: pytest.MonkeyPatch, replicas: int, processes: int
) -> None:
    needed = ("TORCHSERVE_INFERENCE_URL", "TORCHSERVE_KEY_FILE", "REGISTRY_URL", "ANNOTATION_URL", "JWKS_URL")
    for name in (*needed, "SERVICE_TOKEN"):
        monkeypatch.setenv(name, "http://127.0.0.1:9/of-a-test-alone")
    monkeypatch.setenv("HTTP_REPLICAS", str(replicas))
    monkeypatch.setenv("HTTP_PROCESSES", str(processes))
    settings = GatewaySettings()
    in_all: Counter[str] = Counter()
    for _ in range(replicas * processes):
        route = HttpRegistry(Client(), settings.sharers).routes()["x"]  # type: ignore[arg-type]
        in_all["predictions"] += route.max_in_flight
        in_all["explanations"] += route.explainer.max_in_flight
    for _ in range(replicas):
        in_all["tokens"] += settings.own_tokens_per_minute
    assert in_all["predictions"] in {30, 32}
    assert in_all["explanations"] == max(2, replicas * processes)
    assert in_all["tokens"] == 60_000
