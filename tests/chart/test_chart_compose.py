"""Docker Compose gives each process its settings, and caller and callee share a network."""

import os
import re
from typing import Any
from urllib.parse import urlsplit

import pytest
import yaml
from dynabench_common.service_tokens import CALLERS, ServiceTokens
from dynabench_common.settings import load
from dynabench_local.services import CALLED

from tests.chart.conftest import ROOT
from tests.chart.test_chart_settings import READ_BY, READ_BY_LIBRARIES, SHAPED

COMPOSE = ROOT / "deploy" / "compose"
BESIDE = {"PUBLIC_URL", "PUBLIC_ORIGINS", "S3_PUBLIC_ENDPOINT_URL"}
SOCKETS = {"JWKS_URL"}
USUALLY_EMPTY = {"PUBLIC_ORIGINS", "OTEL_EXPORTER_OTLP_ENDPOINT"}


@pytest.fixture(scope="module")
def services() -> dict[str, Any]:
    loaded: dict[str, Any] = yaml.safe_load((COMPOSE / "compose.yaml").read_text())["services"]
    return loaded


def container_of(process: str) -> str:
    return {"agent": "agent", "migrate": "migrate-registry"}.get(process, process.removesuffix("-http"))


def environment(service: dict[str, Any]) -> dict[str, str]:
    given = service.get("environment", {})
    return {name: re.sub(r"\$\{(\w+)(:-?([^}]*))?\}", _filled, str(value)) for name, value in given.items()}


def _filled(found: re.Match[str]) -> str:
    if found[1] in USUALLY_EMPTY:
        return ""
    return (
        found[3]
        if found[2] and found[2].startswith(":-") and found[3]
        else "a-secret-of-more-than-thirty-two-letters"
    )


@pytest.mark.parametrize("process", READ_BY)
def test_a_process_has_the_settings_that_it_needs(
    services: dict[str, Any], process: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    given = environment(services[container_of(process)])
    for name in list(os.environ):
        monkeypatch.delenv(name)
    of_image = {"JAVA_HOME": "/java", "SERVING_PYTHON": "/python", "PACKAGING_SOURCES": "/sources"}
    shaped = {name: SHAPED[name] for name in SHAPED.keys() & given.keys()}
    for name, value in {**of_image, **given, **shaped}.items():
        monkeypatch.setenv(name, value)
    read: set[str] = set()
    for settings_class in READ_BY[process]:
        load(settings_class)
        read |= {name.upper() for name in settings_class.model_fields}
    assert set(given) - read - set(READ_BY_LIBRARIES) == set()


def test_a_container_gets_its_own_services_token_alone(services: dict[str, Any]) -> None:
    holders: dict[str, set[str]] = {}
    for name, service in services.items():
        for setting, value in service.get("environment", {}).items():
            for found in re.findall(r"\$\{(\w*SERVICE_TOKEN\w*)", str(value)):
                assert setting == ("SERVICE_TOKEN" if found.endswith("_SERVICE_TOKEN") else found)
                holders.setdefault(found, set()).add(name)
    assert holders.pop("SERVICE_TOKEN_DIGESTS") == set(CALLED)
    assert {name: {each.partition("-")[0] for each in found} for name, found in holders.items()} == {
        f"{caller.upper()}_SERVICE_TOKEN": {caller} for caller in CALLERS
    }


def test_an_older_file_gets_a_token_for_each_service_and_a_rotation_is_kept(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.syspath_prepend(str(COMPOSE))
    import prepare

    first = prepare.lines({"SERVICE_TOKEN": "a" * 40, "METRICS_TOKEN": "kept"}, {})
    assert "SERVICE_TOKEN" not in first
    assert first["METRICS_TOKEN"] == "kept"
    tokens = {caller: first[f"{caller.upper()}_SERVICE_TOKEN"] for caller in CALLERS}
    known = ServiceTokens.read(first["SERVICE_TOKEN_DIGESTS"])
    assert [known.service_of(token) for token in tokens.values()] == list(tokens)
    assert prepare.lines(first, {}) == first
    changed = {**first, "WEB_SERVICE_TOKEN": "b" * 40}
    both = ServiceTokens.read(prepare.lines(changed, {})["SERVICE_TOKEN_DIGESTS"])
    assert [both.service_of(token) for token in (tokens["web"], "b" * 40)] == ["web", "web"]


def networks_of(services: dict[str, Any], name: str) -> set[str]:
    service = services[name]
    shared = service.get("network_mode", "").removeprefix("service:")
    return networks_of(services, shared) if shared in services else set(service.get("networks", ()))


def test_a_process_shares_a_network_with_every_address_in_its_settings(services: dict[str, Any]) -> None:
    aliases = {"inference": "serving"}
    for name, service in services.items():
        for setting, value in environment(service).items():
            host = urlsplit(value.rpartition(",")[2]).hostname if "://" in value else None
            if host in {None, "127.0.0.1"} or (setting in BESIDE | SOCKETS and name.endswith("-worker")):
                continue
            assert networks_of(services, name) & networks_of(services, aliases.get(str(host), str(host))), (
                name,
                host,
            )


def test_the_gateway_alone_shares_the_network_of_the_models(services: dict[str, Any]) -> None:
    inside = {name for name, service in services.items() if "serving" in service.get("networks", ())}
    assert inside == {"gateway", "serving"}
    assert environment(services["serving"])["TORCHSERVE_ADDRESS"] == "inference:8085"


def test_only_the_edge_and_the_object_store_have_ports_on_the_machine(services: dict[str, Any]) -> None:
    assert {name for name, service in services.items() if "ports" in service} == {"edge", "s3"}
    networks = yaml.safe_load((COMPOSE / "compose.yaml").read_text())["networks"]
    assert {name for name, network in networks.items() if network.get("internal")} == set(networks) - {
        "public"
    }


def test_the_broker_is_set_up_as_in_the_charts_quickstart() -> None:
    shared = (ROOT / "helm/dynabench/files/kafka.properties").read_text()
    assert (COMPOSE / "server.properties").read_text().endswith(shared)


def test_layers_only_add_to_what_there_is(services: dict[str, Any]) -> None:
    gpu = yaml.safe_load((COMPOSE / "compose.gpu.yaml").read_text())["services"]
    observability = yaml.safe_load((COMPOSE / "compose.observability.yaml").read_text())["services"]
    assert set(gpu) <= set(services)
    assert set(observability) - set(services) == {"prometheus", "jaeger"}
    assert set(services["s3"]["command"]) < set(observability["s3"]["command"])


def test_every_process_has_the_address_of_the_collector_and_reaches_it(
    services: dict[str, Any],
) -> None:
    layer = yaml.safe_load((COMPOSE / "compose.observability.yaml").read_text())["services"]
    for process in READ_BY:
        name = container_of(process)
        has_endpoint = "OTEL_EXPORTER_OTLP_ENDPOINT" in services[name].get("environment", {})
        assert has_endpoint == (process != "migrate")
        if has_endpoint:
            assert networks_of(services, name) & set(layer["jaeger"]["networks"]), name
