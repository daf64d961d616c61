"""The Ingress has the routes of deploy/routes.yaml."""

import re
from collections.abc import Mapping
from typing import Any

import pytest
import yaml

from tests.chart.conftest import ROOT
from tests.chart.manifests import Manifests

NGINX = "nginx.ingress.kubernetes.io/"


@pytest.fixture
def table() -> dict[str, Any]:
    loaded: dict[str, Any] = yaml.safe_load((ROOT / "deploy" / "routes.yaml").read_text())
    return loaded


def paths_of(ingress: dict[str, Any]) -> dict[str, str]:
    (rule,) = ingress["spec"]["rules"]
    return {path["path"]: path["backend"]["service"]["name"] for path in rule["http"]["paths"]}


@pytest.mark.parametrize("case", ["minimal", "production", "all-options", "gpu", "isolated"])
def test_routes_are_those_of_the_table(
    all_manifests: Mapping[str, Manifests], table: dict[str, Any], case: str
) -> None:
    manifests = all_manifests[case]
    main = manifests.of("Ingress")[0]
    paths = {path: name.split("-")[-1] for path, name in paths_of(main).items()}
    assert paths == {
        **{f"/api/{service}": service for service in table["api"]},
        "/healthz": "closed",
        "/": table["pages"],
    }
    services = {each["metadata"]["name"]: each for each in manifests.of("Service")}
    assert set(paths_of(main).values()) <= set(services)
    closed = services[paths_of(main)["/healthz"]]
    assert "selector" not in closed["spec"]


def test_limits_are_those_of_the_table(all_manifests: Mapping[str, Manifests], table: dict[str, Any]) -> None:
    main, uploads = all_manifests["minimal"].of("Ingress")
    assert main["metadata"]["annotations"][f"{NGINX}proxy-body-size"] == str(table["max_body_bytes"])
    assert uploads["metadata"]["annotations"][f"{NGINX}proxy-body-size"] == str(
        table["uploads"]["max_body_bytes"]
    )
    assert uploads["metadata"]["annotations"][f"{NGINX}proxy-request-buffering"] == "off"
    assert len(paths_of(uploads)) == len(table["uploads"]["paths"])
    for pattern in table["uploads"]["paths"]:
        example = pattern.replace("*", "019")
        (service,) = [name for path, name in paths_of(uploads).items() if re.match(f"^{path}", example)]
        expected = example.split("/")[2] if example.startswith("/api/") else table["pages"]
        assert service.endswith(f"-{expected}")
        assert not [path for path in paths_of(uploads) if re.match(f"^{path}", f"{example}/more")]
