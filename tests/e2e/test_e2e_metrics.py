"""Every part of a running stack shows metrics for the token, and workers read every figure of their database."""

from typing import Any
from uuid import uuid4

import pytest
import urllib3
from dynabench_local.layout import WATCHED
from prometheus_client.parser import text_string_to_metric_families

pytestmark = pytest.mark.slow

WITH_FIGURES = ("accounts", "annotation", "validation", "leaderboard", "registry", "scoring")


def shown(platform: Any, part: str) -> dict[str, list[Any]]:
    """Return the samples of a part's metrics, by name."""
    stack = platform.stack
    answer = urllib3.request(
        "GET",
        f"http://127.0.0.1:{stack.layout.port(f'metrics {part}')}/metrics",
        headers={"Authorization": f"Bearer {stack.secrets['metrics_token']}"},
        timeout=10,
    )
    assert answer.status == 200
    families = text_string_to_metric_families(answer.data.decode())
    return {family.name: family.samples for family in families}


@pytest.mark.parametrize("part", WATCHED)
def test_a_part_shows_metrics(platform: Any, part: str) -> None:
    assert all(shown(platform, replica) for replica in platform.stack.layout.replicas_of(part))


@pytest.mark.parametrize("service", WITH_FIGURES)
def test_every_figure_of_a_database_is_read(platform: Any, service: str) -> None:
    found = shown(platform, f"{service}-worker")
    assert [sample.value for sample in found["dynabench_figures_read"]] == [1.0]
    assert all(sample.value >= 0 for sample in found["dynabench_outbox_age_seconds"])


def test_routes_are_templates(platform: Any) -> None:
    origin = platform.stack.layout.public_url
    for path in ("tasks", f"rounds/{uuid4()}", f"nothing/{uuid4()}"):
        urllib3.request("GET", f"{origin}/api/annotation/v1/{path}", timeout=10)
    replicas = platform.stack.layout.replicas_of("annotation-http")
    samples = [shown(platform, part).get("dynabench_http_request_seconds", []) for part in replicas]
    routes = {sample.labels["route"] for each in samples for sample in each}
    assert {"/api/annotation/v1/tasks", "unmatched"} <= routes
    assert {route for route in routes if any(part.count("-") == 4 for part in route.split("/"))} == set()
