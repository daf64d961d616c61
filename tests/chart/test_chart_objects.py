"""The chart's own promises: it renders, it is closed, it contains no secret, and its pods have no needless rights."""

import json
import shutil
import subprocess
from base64 import b64decode, b64encode
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
import yaml
from dynabench_common.service_tokens import CALLERS, SHORTEST_TOKEN, ServiceTokens

from tests.chart.conftest import CASES, CHART, ROOT
from tests.chart.manifests import Manifests

VERSIONS = ("1.29", "1.30", "1.31", "1.32", "1.33")
WITHOUT_SCHEMA = {"KafkaTopic", "ScaledObject", "PodMonitor", "PrometheusRule"}
"""Kinds that Kubernetes doesn't know by itself."""
STATEFUL = {"serving", "postgres", "kafka", "s3"}
"""Components without replicas: nothing replaces one while it restarts."""
CONNECTIONS = 25
"""Most connections of a process: DATABASE_POOL_SIZE and the overflow."""
CHECKOV_LEFT_OUT = Path(__file__).with_name("checkov.yaml")


@pytest.mark.parametrize("version", VERSIONS)
def test_every_object_fits_kubernetes_own_schema(rendered: Path, tools: Path, version: str) -> None:
    files = [str(rendered / f"{case}.yaml") for case in CASES]
    command = [str(tools / "kubernetes-validate"), "--strict", "-k", version, *files]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    messages = [line for line in (result.stdout + result.stderr).splitlines() if "passed" not in line]
    assert [line for line in messages if not any(f"kind {kind}" in line for kind in WITHOUT_SCHEMA)] == []
    assert result.stdout.count("passed") + result.stderr.count("passed") > 300


def test_a_scan_finds_nothing_that_is_not_explained(rendered: Path, tools: Path) -> None:
    left_out = yaml.safe_load(CHECKOV_LEFT_OUT.read_text())
    assert all(len(reason) > 20 for reason in left_out.values())
    command = [str(tools / "checkov"), "--directory", str(rendered), "--framework", "kubernetes", "--compact"]
    command += ["--output", "json", "--quiet", "--skip-download"]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    report = json.loads(result.stdout)
    found = {check["check_id"]: check for check in report["results"]["failed_checks"]}
    unexplained = {
        name: f"{check['check_name']}: {check['resource']}"
        for name, check in found.items()
        if name not in left_out
    }
    assert unexplained == {}
    assert set(left_out) - set(found) == set(), "explained, but not found any more"
    assert report["summary"]["passed"] > 1000


def render(
    tools: Path, folder: Path, values: dict[str, Any], name: str = "values", chart: Path = CHART
) -> subprocess.CompletedProcess[str]:
    file = folder / f"{name}.yaml"
    file.write_text(yaml.safe_dump(values))
    command = [str(tools / "python"), str(Path(__file__).with_name("render.py")), str(chart), str(file)]
    return subprocess.run([*command, str(folder / "out")], capture_output=True, text=True, check=False)


@pytest.mark.parametrize(
    ("change", "named"),
    [
        ({"postgressql": {}}, "postgressql"),
        ({"processes": {"accounts-http": {"replica": 2}}}, "replica"),
        ({"logLevel": "LOUD"}, "logLevel"),
        ({"publicUrl": "dynabench.example.org"}, "publicUrl"),
        ({"serviceTokens": {"existingSecret": ""}}, "serviceTokens.existingSecret must name a Secret"),
        ({"serviceToken": {"existingSecret": "of-an-older-version"}}, "serviceToken"),
        ({"kafka": {"brokers": []}}, "kafka.brokers must name at least one broker"),
        ({"postgresql": {"host": ""}}, "postgresql.host must name the server"),
    ],
)
def test_values_that_are_wrong_are_refused_by_name(
    tools: Path, tmp_path: Path, change: dict[str, Any], named: str
) -> None:
    minimal = yaml.safe_load((CHART / "ci" / "minimal.yaml").read_text())
    changed = {
        name: {**minimal.get(name, {}), **of} if isinstance(of, dict) else of for name, of in change.items()
    }
    result = render(tools, tmp_path, {**minimal, **changed})
    assert result.returncode == 1
    assert named in result.stdout


def every_part(schema: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    for name, part in [*schema.get("properties", {}).items(), *schema.get("$defs", {}).items()]:
        yield name, part
        yield from every_part(part)


def test_every_value_is_described_and_no_other_is_taken() -> None:
    schema = json.loads((CHART / "values.schema.json").read_text())
    assert schema["additionalProperties"] is False
    for name, part in every_part(schema):
        assert "$ref" in part or part["description"].endswith("."), name
        if "properties" in part:
            assert part["additionalProperties"] is False, name


def test_the_readme_is_that_of_the_schema(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(ROOT / "scripts"))
    import chart_readme

    assert (CHART / "README.md").read_text() == chart_readme.readme(), "run: python scripts/chart_readme.py"


def test_the_chart_holds_no_secret(all_manifests: Mapping[str, Manifests]) -> None:
    for case, manifests in all_manifests.items():
        assert bool(manifests.of("Secret")) == (case == "quickstart")
        for _, container in manifests.containers():
            for entry in container.get("env", ()):
                is_secret = entry["name"].endswith(("_PASSWORD", "_TOKEN", "_KEY", "_ACCESS_KEY_ID"))
                assert not is_secret or "valueFrom" in entry, entry["name"]


def test_generated_secrets_differ_and_are_complete(
    all_manifests: Mapping[str, Manifests],
) -> None:
    manifests = all_manifests["quickstart"]
    held = {each["metadata"]["name"]: each["data"] for each in manifests.of("Secret")}
    values = [value for data in held.values() for value in data.values()]
    assert len(values) == len(set(values))
    for pod in manifests.every_pod():
        for container in [*pod["spec"].get("initContainers", ()), *pod["spec"]["containers"]]:
            for entry in container.get("env", ()):
                if "secretKeyRef" in entry.get("valueFrom", {}):
                    reference = entry["valueFrom"]["secretKeyRef"]
                    assert reference["key"] in held[reference["name"]]


def test_generated_digests_are_those_of_the_generated_tokens(all_manifests: Mapping[str, Manifests]) -> None:
    held = {each["metadata"]["name"]: each["data"] for each in all_manifests["quickstart"].of("Secret")}
    data = {
        key: b64decode(value).decode()
        for key, value in held["sample-dynabench-quickstart-service-tokens"].items()
    }
    known = ServiceTokens.read(data.pop("digests"))
    assert set(data) == set(CALLERS)
    assert {service: known.service_of(token) for service, token in data.items()} == {
        service: service for service in CALLERS
    }
    assert all(len(token) >= SHORTEST_TOKEN for token in data.values())


def generated(tools: Path, chart: Path, folder: Path) -> dict[str, dict[str, str]]:
    """Return the Secrets of a quickstart's upgrade by their names."""
    values = yaml.safe_load((CHART / "ci" / "quickstart.yaml").read_text())
    done = render(tools, folder, values, "quickstart-upgrade", chart)
    assert done.returncode == 0, done.stdout
    manifests = Manifests((folder / "out" / "quickstart-upgrade.yaml").read_text())
    return {each["metadata"]["name"]: each["data"] for each in manifests.of("Secret")}


def test_an_upgrade_of_a_quickstart_keeps_its_secrets_and_a_change_of_tokens_under_way(
    tools: Path, tmp_path: Path
) -> None:
    chart, held = tmp_path / "chart", tmp_path / "chart" / "held.yaml"
    shutil.copytree(CHART, chart)
    template = chart / "templates" / "quickstart.yaml"
    asked = '(lookup "v1" "Secret" $root.Release.Namespace $name)'
    assert asked in template.read_text()
    template.write_text(
        template.read_text().replace(asked, '(get ($root.Files.Get "held.yaml" | fromYaml) $name)')
    )
    held.write_text("{}")
    first = generated(tools, chart, tmp_path)
    held.write_text(yaml.safe_dump({name: {"data": data} for name, data in first.items()}))
    assert generated(tools, chart, tmp_path) == first
    tokens = first["sample-dynabench-quickstart-service-tokens"]
    old, new = b64decode(tokens["web"]).decode(), "a-new-token-of-the-pages-which-is-long"
    tokens["web"] = b64encode(new.encode()).decode()
    del tokens["agent"]
    held.write_text(yaml.safe_dump({name: {"data": data} for name, data in first.items()}))
    second = generated(tools, chart, tmp_path)["sample-dynabench-quickstart-service-tokens"]
    known = ServiceTokens.read(b64decode(second["digests"]).decode())
    assert [known.service_of(token) for token in (old, new)] == ["web", "web"]
    assert known.service_of(b64decode(second["agent"]).decode()) == "agent"
    assert {name: second[name] for name in tokens if name != "digests"} == {
        name: token for name, token in tokens.items() if name != "digests"
    }


def test_names_fit_however_long_the_release_is(tools: Path, tmp_path: Path) -> None:
    quickstart = yaml.safe_load((CHART / "ci" / "quickstart.yaml").read_text())
    assert render(tools, tmp_path, {**quickstart, "fullnameOverride": "a" * 36}).returncode == 0
    objects = Manifests((tmp_path / "out" / "values.yaml").read_text()).objects
    for each in objects:
        assert len(each["metadata"]["name"]) <= 63, each["metadata"]["name"]
    assert render(tools, tmp_path, {**quickstart, "fullnameOverride": "a" * 37}).returncode == 1


def test_pods_are_restricted(manifests: Manifests) -> None:
    for pod in manifests.every_pod():
        spec = pod["spec"]
        assert spec["automountServiceAccountToken"] is False
        assert spec["securityContext"]["runAsNonRoot"] is True
        assert spec["securityContext"]["seccompProfile"]["type"] == "RuntimeDefault"
        for container in [*spec.get("initContainers", ()), *spec["containers"]]:
            security = container["securityContext"]
            assert security["allowPrivilegeEscalation"] is False
            assert security["readOnlyRootFilesystem"] is (container["name"] != "kafka")
            assert security["capabilities"] == {"drop": ["ALL"]}
            assert {"requests", "limits"} <= set(container["resources"])
        assert not [volume for volume in spec.get("volumes", ()) if "hostPath" in volume]


def test_probes_bear_with_a_busy_node(manifests: Manifests) -> None:
    for component, container in manifests.containers():
        for name in ("startupProbe", "readinessProbe", "livenessProbe"):
            probe = container.get(name)
            if probe is not None:
                assert probe.get("timeoutSeconds", 1) >= 5, (component, name)
        if "startupProbe" in container:
            patience = (
                container["startupProbe"]["periodSeconds"] * container["startupProbe"]["failureThreshold"]
            )
            assert patience >= 90, component


def test_who_answers_people_ends_after_the_endpoints_forgot_it(manifests: Manifests) -> None:
    behind_services = {
        component for component, _ in manifests.addresses.values() if component not in STATEFUL
    }
    for component in behind_services:
        for container in manifests.pods[component]["spec"]["containers"]:
            assert "preStop" in container.get("lifecycle", {}), component


def test_changed_settings_restart_who_reads_them(manifests: Manifests) -> None:
    for kind in ("Deployment", "StatefulSet"):
        for each in manifests.of(kind):
            template = each["spec"]["template"]
            reads_settings = any("envFrom" in container for container in template["spec"]["containers"])
            assert not reads_settings or "checksum/settings" in template["metadata"]["annotations"]


def test_migrations_run_first_or_together_with_a_quickstart(
    all_manifests: Mapping[str, Manifests],
) -> None:
    for case, manifests in all_manifests.items():
        jobs = [each for each in manifests.of("Job") if "-migrate-" in each["metadata"]["name"]]
        assert len(jobs) == 7
        for job in jobs:
            hook = job["metadata"].get("annotations", {}).get("helm.sh/hook")
            assert hook == (None if case == "quickstart" else "pre-install,pre-upgrade")


def test_an_upgrade_of_a_quickstart_waits_for_migrations(tools: Path, tmp_path: Path) -> None:
    values = yaml.safe_load((CHART / "ci" / "quickstart.yaml").read_text())
    assert render(tools, tmp_path, values, "quickstart-upgrade").returncode == 0
    manifests = Manifests((tmp_path / "out" / "quickstart-upgrade.yaml").read_text())
    hooks = [job["metadata"].get("annotations", {}).get("helm.sh/hook", "") for job in manifests.of("Job")]
    assert len(hooks) == 9
    assert all("pre-upgrade" in hook for hook in hooks), (
        "a rollback stops at jobs that only one revision names"
    )


def test_a_quickstart_has_connections_for_every_pod_of_an_upgrade(
    all_manifests: Mapping[str, Manifests],
) -> None:
    manifests = all_manifests["quickstart"]
    pods = 0
    for deployment in manifests.of("Deployment"):
        container = deployment["spec"]["template"]["spec"]["containers"][0]
        if "DATABASE_URL" in manifests.environment(container):
            pods += deployment["spec"]["replicas"] + 1
    allowed = next(
        argument.partition("=")[2]
        for argument in manifests.process("postgres")["args"]
        if argument.startswith("max_connections=")
    )
    assert pods > 20
    assert int(allowed) >= pods * CONNECTIONS


def test_the_routes_and_models_are_those_of_the_checkout() -> None:
    assert (CHART / "files" / "routes.yaml").resolve() == ROOT / "deploy" / "routes.yaml"
    assert (CHART / "files" / "models.yaml").resolve() == ROOT / "model-archives" / "models.yaml"
