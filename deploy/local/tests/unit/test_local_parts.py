"""Each part's settings, and the edge's routes."""

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml
from dynabench_common.service_tokens import CALLERS, ServiceTokens
from dynabench_local import balancer, edge, services
from dynabench_local.layout import Layout, checkout
from dynabench_local.part import Part
from dynabench_local.stack import Stack
from dynabench_local.supervision import Supervisor
from dynabench_local.temporary import FOREIGN_SETTINGS


@pytest.fixture
def stack(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Stack:
    for name in FOREIGN_SETTINGS:
        monkeypatch.delenv(name, raising=False)
    return Stack(Layout(checkout(), tmp_path, 21_000))


def test_parts_wait_only_for_parts_that_there_are(stack: Stack) -> None:
    for part in stack.parts.values():
        assert set(part.after) <= set(stack.parts)


def test_every_service_has_its_processes(stack: Stack) -> None:
    for service in services.WITH_HTTP:
        assert {f"{service}-http", service} & set(stack.parts)
    for service in services.WITH_DATABASE:
        assert f"{service}-worker" in stack.parts


def test_replicas_have_names_and_addresses_of_their_own(tmp_path: Path, stack: Stack) -> None:
    several = Stack(Layout(checkout(), tmp_path, 21_000, replicas=3))
    processes = [name for name in stack.parts if name.endswith(("-http", "-worker", services.EVALUATOR))]
    added = {f"{name}-{number}" for name in processes for number in (2, 3)}
    assert several.parts.keys() == stack.parts.keys() | added | {"balancer"}
    for part in several.parts.values():
        assert set(part.after) <= set(several.parts)
    for setting in ("HTTP_BIND", "METRICS_BIND"):
        served = [
            part for name, part in several.parts.items() if setting == "METRICS_BIND" or "-http" in name
        ]
        bound = [part.environment[setting] for part in served if setting in part.environment]
        assert len(bound) == len(set(bound)) >= 24


def test_a_part_holds_its_own_services_token_alone(stack: Stack) -> None:
    owners = {token: name for name, token in stack.secrets.items() if name.startswith("service_token_")}
    holders: dict[str, set[str]] = {}
    for part in stack.parts.values():
        for value in part.environment.values():
            for token in (token for token in owners if token in value):
                holders.setdefault(owners[token], set()).add(part.name)
    assert {name: {part.partition("-")[0] for part in parts} for name, parts in holders.items()} == {
        f"service_token_{service}": {"torchserve" if service == "agent" else service} for service in CALLERS
    }
    assert holders["service_token_agent"] == {services.AGENT}


def test_who_is_called_by_services_knows_them_by_their_digests(stack: Stack) -> None:
    for service in ("accounts", "annotation", "gateway", "registry", "crowd", services.AGENT):
        known = ServiceTokens.read(stack.environment(service)["SERVICE_TOKEN_DIGESTS"])
        assert [known.service_of(stack.secrets[f"service_token_{name}"]) for name in CALLERS] == [*CALLERS]


def test_other_processes_ask_a_service_at_the_balancer(tmp_path: Path) -> None:
    layout = Layout(checkout(), tmp_path, 21_000, replicas=3)
    servers = balancer.configuration(layout)["apps"]["http"]["servers"]
    asked = Stack(layout).environment("web")
    for service, server in servers.items():
        assert asked[f"{service.upper()}_URL"] == f"http://{server['listen'][0]}"


@pytest.mark.parametrize("service", services.WITH_HTTP)
def test_a_service_gets_no_other_databases_password(stack: Stack, service: str) -> None:
    settings = json.dumps(stack.environment(service))
    strangers = set(services.WITH_DATABASE) - {service} | {"postgres"}
    assert not [name for name in strangers if stack.secrets[name] in settings]


def test_tokens_of_the_model_server_go_to_its_two_users_alone(stack: Stack) -> None:
    holders = {name for name, part in stack.parts.items() if "TORCHSERVE_KEY_FILE" in part.environment}
    assert holders == {"gateway-http", services.AGENT}


def test_the_agent_reaches_neither_database_nor_kafka(stack: Stack) -> None:
    settings = stack.environment(services.AGENT)
    assert not {"DATABASE_URL", "KAFKA_BOOTSTRAP_SERVERS"} & set(settings)
    assert not [name for name in services.WITH_DATABASE if stack.secrets[name] in settings.values()]


def test_keys_of_the_object_store_go_to_its_users(stack: Stack) -> None:
    keys = {stack.secrets["s3_access_key"], stack.secrets["s3_secret_key"]}
    holders = {name for name in services.WITH_HTTP if keys & set(stack.environment(name).values())}
    assert holders == {"annotation", "scoring", "registry"}


def test_browsers_may_reach_the_object_store_by_another_address(
    stack: Stack, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("S3_PUBLIC_ENDPOINT_URL", "https://objects.example")
    for service in ("annotation", "web"):
        assert stack.environment(service)["S3_PUBLIC_ENDPOINT_URL"] == "https://objects.example"
    assert stack.environment("annotation")["S3_ENDPOINT_URL"] == stack.layout.url("s3")


@pytest.mark.parametrize(
    ("setting", "part"),
    [
        ("DATABASE_URL", "postgres"),
        ("KAFKA_BOOTSTRAP_SERVERS", "kafka"),
        ("S3_ENDPOINT_URL", "seaweedfs"),
    ],
)
def test_an_address_in_the_environment_replaces_the_part(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, setting: str, part: str
) -> None:
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
        monkeypatch.setenv(name, "given")
    monkeypatch.setenv(setting, "postgresql://admin:word@elsewhere:5432/postgres")
    replaced = Stack(Layout(checkout(), tmp_path, 21_000))
    assert part not in replaced.parts
    assert any("elsewhere" in value for value in replaced.environment("annotation").values())


def test_the_supervisors_configuration_holds_no_secret_and_plans_are_private(stack: Stack) -> None:
    run = stack.layout.run
    run.mkdir()
    part = Part("sample", ("/bin/true", "100%"), run, {"TOKEN": "hidden value"}, stop_signal="INT")
    text = Supervisor(stack.layout).configuration([part])
    assert "hidden value" not in text
    assert "stopsignal=INT" in text
    plan = run / "sample.json"
    assert plan.stat().st_mode & 0o777 == 0o600
    assert json.loads(plan.read_text())["environment"]["TOKEN"] == "hidden value"


@pytest.fixture
def edge_configuration(tmp_path: Path) -> dict[str, Any]:
    table = yaml.safe_load((checkout() / "deploy" / "routes.yaml").read_text())
    layout = Layout(checkout(), tmp_path, 21_000)
    return edge.configuration("127.0.0.1:21000", lambda name: f"127.0.0.1:{layout.port(name)}", table)


def test_the_edge_reaches_public_services_and_nothing_else(edge_configuration: dict[str, Any]) -> None:
    layout = Layout(checkout(), Path("/nowhere"), 21_000)
    text = json.dumps(edge_configuration)
    public = (
        "accounts",
        "annotation",
        "validation",
        "leaderboard",
        "scoring",
        "gateway",
        "registry",
        "crowd",
        "web",
    )
    private = ("torchserve_agent", "torchserve_inference", "torchserve_management", "s3", "postgres", "kafka")
    assert all(f'"127.0.0.1:{layout.port(name)}"' in text for name in public)
    assert not [name for name in private if f"127.0.0.1:{layout.port(name)}" in text]


def test_health_and_unknown_services_are_refused_before_the_pages(edge_configuration: dict[str, Any]) -> None:
    routes = edge_configuration["apps"]["http"]["servers"]["edge"]["routes"]
    refused = [
        route["match"][0]["path"][0] for route in routes if route["handle"][0].get("status_code") == 404
    ]
    assert refused == ["/api/*", "/healthz/*"]
    assert "match" not in routes[-1]


@pytest.mark.parametrize("part", ["edge", "balancer"])
def test_caddy_accepts_its_configuration(stack: Stack, edge_configuration: dict[str, Any], part: str) -> None:
    several = balancer.configuration(Layout(checkout(), stack.layout.home, 21_000, replicas=3))
    file = stack.layout.home / "caddy.json"
    file.write_text(json.dumps(edge_configuration if part == "edge" else several))
    caddy = str(stack.layout.scripts / "caddy")
    result = subprocess.run(
        [caddy, "validate", "--config", str(file)], capture_output=True, text=True, check=False
    )
    assert result.returncode == 0, result.stderr
