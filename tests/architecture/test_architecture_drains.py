"""A stopped process has time for its longest call, and its supervisor waits that long."""

from pathlib import Path

import pytest
import yaml
from accounts.settings import AccountsSettings
from annotation.settings import AnnotationSettings
from crowd.settings import CrowdSettings
from dynabench_client.transport import READ_TIMEOUT_SECONDS
from dynabench_common.settings import ServiceSettings
from dynabench_common.work import worker
from dynabench_local.layout import Layout, checkout
from dynabench_local.stack import Stack
from gateway.entrypoints.http.asking import MAX_WAIT_SECONDS
from gateway.settings import GatewaySettings
from leaderboard import settings as leaderboard
from registry import settings as registry
from scoring import settings as scoring
from scoring.adapters.target_gateway import CALL_SECONDS
from validation.settings import ValidationSettings
from web.settings import WebSettings

STATEMENT_SECONDS = 15.0
OF: dict[str, type[ServiceSettings]] = {
    "accounts": AccountsSettings,
    "annotation": AnnotationSettings,
    "validation": ValidationSettings,
    "leaderboard": leaderboard.HttpSettings,
    "scoring": scoring.HttpSettings,
    "registry": registry.HttpSettings,
    "gateway": GatewaySettings,
    "crowd": CrowdSettings,
    "web": WebSettings,
}


def default(settings: type[ServiceSettings], name: str) -> float:
    """Return the default of a setting."""
    return float(settings.model_fields[name].default)


LONGEST_CALL = {
    **dict.fromkeys(OF, STATEMENT_SECONDS),
    "annotation": default(AnnotationSettings, "inspection_timeout_seconds"),
    "gateway": MAX_WAIT_SECONDS + default(GatewaySettings, "explain_deadline_milliseconds") / 1000,
    "scoring": CALL_SECONDS,
    "web": READ_TIMEOUT_SECONDS,
}


@pytest.mark.parametrize("service", OF)
def test_a_service_finishes_its_longest_call_before_it_is_killed(service: str, tmp_path: Path) -> None:
    drain = default(OF[service], "drain_seconds")
    assert drain > LONGEST_CALL[service]
    chart = yaml.safe_load((checkout() / "helm/dynabench/files/processes.yaml").read_text())
    assert chart[f"{service}-http"].get("drainSeconds", 20) == drain
    assert Stack(Layout(checkout(), tmp_path, 21_000)).parts[f"{service}-http"].stop_seconds > drain
    compose = yaml.safe_load((checkout() / "deploy/compose/compose.yaml").read_text())["services"]
    assert int(compose[service]["stop_grace_period"].removesuffix("s")) > drain


def test_workers_finish_a_statement_before_they_are_killed(tmp_path: Path) -> None:
    workers = [
        part for part in Stack(Layout(checkout(), tmp_path, 21_000)).parts.values() if "-worker" in part.name
    ]
    assert len(workers) == 7
    assert worker.DRAIN_SECONDS > STATEMENT_SECONDS
    assert all(part.stop_seconds > worker.DRAIN_SECONDS for part in workers)
