"""With TLS only metrics are plain between our pods; without it nothing of it remains."""

from collections.abc import Mapping
from pathlib import Path, PurePosixPath
from typing import Any

import pytest
import yaml

from tests.chart.conftest import CHART
from tests.chart.manifests import Manifests
from tests.chart.test_chart_objects import render

SECURED, PLAIN = ("production", "all-options"), ("minimal", "quickstart", "isolated", "gpu")
FILES = ("HTTP_CERTIFICATE_FILE", "HTTP_PRIVATE_KEY_FILE", "HTTP_AUTHORITIES_FILE")
BESIDE = {"postgres", "kafka", "s3", "edge", "prepare", "migrate", "doctor", "backup"}


def between_processes(manifests: Manifests) -> dict[tuple[str, str], str]:
    """Return the addresses of our processes in containers' environments, by container and setting."""
    names = {name for name, _ in manifests.addresses}
    return {
        (container["name"], setting): value
        for component, container in manifests.containers()
        for setting, value in manifests.environment(container).items()
        if component not in BESIDE and any(f"//{name}:" in value for name in names)
    }


def schemes_of_probes(manifests: Manifests) -> set[str]:
    return {
        container[probe]["httpGet"].get("scheme", "HTTP")
        for component, container in manifests.containers()
        for probe in ("startupProbe", "readinessProbe", "livenessProbe")
        if component not in BESIDE and "httpGet" in container.get(probe, {})
    }


def in_secret(
    manifests: Manifests, component: str, container: Mapping[str, Any], file: str
) -> tuple[str, bool]:
    """Return the Secret of a file, and whether the Secret's key is mounted there."""
    path = PurePosixPath(file)
    (mount,) = (each for each in container["volumeMounts"] if each["mountPath"] == str(path.parent))
    volumes = manifests.pods[component]["spec"]["volumes"]
    (volume,) = (each["secret"] for each in volumes if each["name"] == mount["name"])
    keys = [each["key"] for each in volume.get("items", ())]
    return volume["secretName"], not keys or path.name in keys


@pytest.mark.parametrize("case", SECURED)
def test_every_address_and_every_probe_is_of_https(all_manifests: Mapping[str, Manifests], case: str) -> None:
    manifests = all_manifests[case]
    addresses = between_processes(manifests)
    assert len(addresses) > 25
    assert {value.split("://")[0] for value in addresses.values()} == {"https"}
    assert schemes_of_probes(manifests) == {"HTTPS"}


@pytest.mark.parametrize("case", PLAIN)
def test_without_it_nothing_of_it_is_left(all_manifests: Mapping[str, Manifests], case: str) -> None:
    manifests = all_manifests[case]
    assert {value.split("://")[0] for value in between_processes(manifests).values()} == {"http"}
    assert schemes_of_probes(manifests) == {"HTTP"}
    for component, container in manifests.containers():
        assert not [name for name in manifests.environment(container) if name in FILES]
        assert "tls" not in {each["name"] for each in manifests.pods[component]["spec"].get("volumes", ())}


@pytest.mark.parametrize("case", SECURED)
def test_who_listens_has_a_certificate_and_who_calls_an_authority(
    all_manifests: Mapping[str, Manifests], case: str
) -> None:
    manifests = all_manifests[case]
    asking = {name for name, _ in between_processes(manifests)}
    for component, container in manifests.containers():
        name, environment = container["name"], manifests.environment(container)
        assert ("HTTP_CERTIFICATE_FILE" in environment) == (name.endswith("-http") or name == "agent")
        assert ("HTTP_CERTIFICATE_FILE" in environment) == ("HTTP_PRIVATE_KEY_FILE" in environment)
        assert name in asking or "HTTP_AUTHORITIES_FILE" not in environment
        for setting in (*FILES, "TORCHSERVE_CERTIFICATE_FILE", "TORCHSERVE_PRIVATE_KEY_FILE"):
            if setting in environment:
                service = "torchserve" if name == "torchserve" else name.partition("-")[0]
                whole = f"internal-{service}" if case == "all-options" else "dynabench-internal-tls"
                assert in_secret(manifests, component, container, environment[setting]) == (whole, True)


@pytest.mark.parametrize("case", SECURED)
def test_who_does_not_listen_gets_no_private_key(all_manifests: Mapping[str, Manifests], case: str) -> None:
    manifests = all_manifests[case]
    for component, pod in manifests.pods.items():
        for volume in pod["spec"].get("volumes", ()):
            if volume["name"] == "tls" and not component.endswith("-http") and component != "serving":
                assert [each["key"] for each in volume["secret"]["items"]] == ["ca.crt"], component


def test_the_agent_asks_torchserve_by_the_name_of_its_certificate(
    all_manifests: Mapping[str, Manifests],
) -> None:
    manifests = all_manifests["production"]
    asked = manifests.environment(manifests.process("agent"))["TORCHSERVE_INFERENCE_URL"]
    (own,) = manifests.own_names("serving")
    assert asked == f"https://{own}:8085"
    assert manifests.environment(manifests.process("gateway-http"))["TORCHSERVE_INFERENCE_URL"] == asked


def test_a_quickstarts_edge_asks_services_by_https(tools: Path, tmp_path: Path) -> None:
    values = yaml.safe_load((CHART / "ci" / "quickstart.yaml").read_text())
    tls = {"enabled": True, "existingSecret": "internal", "secretPerService": True}
    result = render(tools, tmp_path, {**values, "tls": tls}, "quickstart-tls")
    assert result.returncode == 0, result.stdout
    manifests = Manifests((tmp_path / "out" / "quickstart-tls.yaml").read_text())
    pod = manifests.pods["edge"]["spec"]
    (before,), (edge,) = pod["initContainers"], pod["containers"]
    authorities = manifests.environment(before)["EDGE_AUTHORITIES_FILE"]
    assert in_secret(manifests, "edge", edge, authorities) == ("internal-web", True)
    (volume,) = (each for each in pod["volumes"] if each["name"] == "tls")
    assert [each["key"] for each in volume["secret"]["items"]] == ["ca.crt"]


def test_the_ingress_speaks_https_with_the_services(all_manifests: Mapping[str, Manifests]) -> None:
    name = "nginx.ingress.kubernetes.io/backend-protocol"
    schemes = {
        case: {each["metadata"]["annotations"].get(name) for each in all_manifests[case].of("Ingress")}
        for case in ("production", "minimal")
    }
    assert schemes == {"production": {"HTTPS"}, "minimal": {None}}


@pytest.mark.parametrize(
    ("case", "change", "message"),
    [
        ("minimal", {"enabled": True}, "tls.existingSecret must name a Secret"),
        ("minimal", {"enabled": True, "existingSecret": "x", "secret": "y"}, "secret"),
    ],
)
def test_what_can_not_be_is_refused(
    tools: Path, tmp_path: Path, case: str, change: dict[str, Any], message: str
) -> None:
    values = yaml.safe_load((CHART / "ci" / f"{case}.yaml").read_text())
    result = render(tools, tmp_path, {**values, "tls": change})
    assert result.returncode == 1
    assert message in result.stdout
