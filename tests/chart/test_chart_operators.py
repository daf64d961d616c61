"""Real clusters: stores run by operators, manifests rendered outside of a cluster, any controller before the edge."""

import shutil
from base64 import b64decode
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
import yaml
from dynabench_common.events.brokers import connection
from dynabench_local import prepare, topics

from tests.chart.conftest import CHART
from tests.chart.manifests import Manifests
from tests.chart.test_chart_objects import render

SERVICES = ("accounts", "annotation", "validation", "leaderboard", "scoring", "registry", "crowd")
AS_OPERATORS_MAKE_THEM = {
    "people-ca": {"ca.crt", "ca.key"},
    "events-cluster-ca-cert": {"ca.crt", "ca.p12", "ca.password"},
    "storage-tls": {"ca.crt", "tls.crt", "tls.key"},
    **{f"dynabench-{service}": {"password", "sasl.jaas.config"} for service in SERVICES},
}
"""Keys of the Secrets of CloudNativePG, of Strimzi's cluster and users, and of cert-manager."""


def rendered_with(
    tools: Path, folder: Path, case: str, change: Mapping[str, Any], name: str = "values"
) -> Manifests:
    values = yaml.safe_load((CHART / "ci" / f"{case}.yaml").read_text())
    result = render(tools, folder, {**values, **change}, name)
    assert result.returncode == 0, result.stdout
    return Manifests((folder / "out" / f"{name}.yaml").read_text())


def secrets_read(pod: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield each Secret and key that a pod reads."""
    for container in [*pod["spec"].get("initContainers", []), *pod["spec"]["containers"]]:
        for entry in container.get("env", []):
            if found := entry.get("valueFrom", {}).get("secretKeyRef"):
                yield found["name"], found["key"]
    for volume in pod["spec"].get("volumes", []):
        for source in volume.get("projected", {}).get("sources", []):
            if found := source.get("secret"):
                yield from ((found["name"], item["key"]) for item in found["items"])


def test_secrets_are_read_as_operators_make_them(all_manifests: Mapping[str, Manifests]) -> None:
    read = {pair for pod in all_manifests["operators"].pods.values() for pair in secrets_read(pod)}
    assert {name for name, _ in read} >= AS_OPERATORS_MAKE_THEM.keys() - {"dynabench-registry"}
    for name, key in read:
        if name in AS_OPERATORS_MAKE_THEM:
            assert key in AS_OPERATORS_MAKE_THEM[name], (name, key)


def test_each_store_is_trusted_by_its_own_authority(all_manifests: Mapping[str, Manifests]) -> None:
    manifests = all_manifests["operators"]
    container = manifests.process("scoring-worker")
    environment = manifests.environment(container)
    settings = connection(environment["KAFKA_BOOTSTRAP_SERVERS"].replace("$(KAFKA_PASSWORD)", "secret"))
    assert (settings["sasl_mechanism"], settings["security_protocol"]) == ("SCRAM-SHA-512", "SASL_SSL")
    [trusted] = [
        volume
        for volume in manifests.pods["scoring-worker"]["spec"]["volumes"]
        if volume["name"] == "trusted"
    ]
    [mounted] = [mount for mount in container["volumeMounts"] if mount["name"] == "trusted"]
    files = {
        f"{mounted['mountPath']}/{item['path']}": source["secret"]["name"]
        for source in trusted["projected"]["sources"]
        for item in source["secret"]["items"]
    }
    assert files[settings["ssl_cafile"]] == "events-cluster-ca-cert"
    assert files[environment["PGSSLROOTCERT"]] == "people-ca"
    assert files[environment["AWS_CA_BUNDLE"]] == "storage-tls"
    assert "SSL_CERT_FILE" not in environment


def test_topics_are_those_of_proto(all_manifests: Mapping[str, Manifests]) -> None:
    found = {
        topic["spec"]["topicName"]: (topic["spec"]["partitions"], topic["spec"]["config"]["retention.ms"])
        for topic in all_manifests["operators"].of("KafkaTopic")
    }
    documents = topics.documents()
    assert found == {
        **{each["topic"]: (each["partitions"], each["retention_ms"]) for each in documents},
        **{each["dead_letter"]: (1, each["retention_ms"]) for each in documents},
    }


def test_values_of_a_former_chart_may_be_used_again(tools: Path, tmp_path: Path) -> None:
    """`helm upgrade --reuse-values` puts the values of the former chart in place of this one's defaults."""
    former = tmp_path / "former"
    shutil.copytree(CHART, former)
    defaults = yaml.safe_load((CHART / "values.yaml").read_text())
    given = yaml.safe_load((CHART / "ci" / "minimal.yaml").read_text())
    kept = {key: value for key, value in defaults.items() if key in {"images", "processes", "serving"}}
    del kept["serving"]["threadsPerWorker"]
    (former / "values.yaml").write_text(yaml.safe_dump(kept))
    assert render(tools, tmp_path, given, "former", former).returncode == 0
    whole = rendered_with(tools, tmp_path, "minimal", {}).objects
    assert Manifests((tmp_path / "out" / "former.yaml").read_text()).objects == whole
    del kept["processes"]["web-http"]["resources"]["limits"]
    (former / "values.yaml").write_text(yaml.safe_dump(kept))
    assert render(tools, tmp_path, given, "former", former).returncode == 0
    unlimited = Manifests((tmp_path / "out" / "former.yaml").read_text()).process("web-http")
    assert "limits" not in unlimited["resources"]


def test_secrets_of_a_seed_are_the_same_when_rendered_again(tools: Path, tmp_path: Path) -> None:
    def secrets(seed: str) -> dict[str, dict[str, str]]:
        values = {"quickstart": {"enabled": True, "seed": seed}}
        manifests = rendered_with(tools, tmp_path, "quickstart", values)
        return {each["metadata"]["name"]: each["data"] for each in manifests.of("Secret")}

    found = secrets("a" * 32)
    assert found == secrets("a" * 32)
    texts = [text for data in found.values() for text in data.values()]
    assert len(set(texts)) == len(texts) > 20
    assert not set(texts) & {text for data in secrets("b" * 32).values() for text in data.values()}
    key = next(data["signing-key"] for data in found.values() if "signing-key" in data)
    (tmp_path / "key").write_bytes(b64decode(key))
    assert prepare.main(["signing-key", str(tmp_path / "key"), str(tmp_path / "key.json")]) == 0


def test_a_job_that_runs_something_else_has_another_name(tools: Path, tmp_path: Path) -> None:
    def names(tag: str) -> set[str]:
        images = {"services": {"repository": "dynabench/services", "tag": tag}}
        manifests = rendered_with(tools, tmp_path, "quickstart", {"images": images})
        return {job["metadata"]["name"] for job in manifests.of("Job")}

    assert names("1.0.0") == names("1.0.0")
    migrations = {name for name in names("1.0.0") if "-migrate-" in name or "-prepare-" in name}
    assert len(migrations) == 8
    assert not migrations & names("1.0.1")


@pytest.mark.parametrize("controller", ["nginx", "other"])
def test_an_edge_of_ones_own_takes_everything_behind_any_controller(
    tools: Path, tmp_path: Path, controller: str
) -> None:
    change = {"edge": {"enabled": True}, "ingress": {"controller": controller}}
    manifests = rendered_with(tools, tmp_path, "minimal", change)
    [ingress] = manifests.of("Ingress")
    [rule] = ingress["spec"]["rules"]
    [path] = rule["http"]["paths"]
    assert (path["path"], path["backend"]["service"]["name"]) == ("/", "sample-dynabench-edge")
    [edge] = [each for each in manifests.of("Service") if each["metadata"]["name"] == "sample-dynabench-edge"]
    assert "externalTrafficPolicy" not in edge["spec"]
    assert "edge" in manifests.pods


def test_a_load_balancer_may_keep_the_address_of_who_calls(all_manifests: Mapping[str, Manifests]) -> None:
    services = {each["metadata"]["name"]: each["spec"] for each in all_manifests["operators"].of("Service")}
    edge = services["sample-dynabench-edge"]
    assert (edge["type"], edge["externalTrafficPolicy"]) == ("LoadBalancer", "Local")
