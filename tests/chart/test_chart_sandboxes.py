"""Archives with code: the limits of their pods, and the rights of the agent that makes them."""

import json
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
import yaml
from model_agent.sandbox.enclosure import TEMPORARY
from model_agent.sandbox.pod_run import LIFELINE_PORT
from model_agent.sandbox.pods import IN_POD, PORTS, PYTHON

from tests.chart.manifests import Manifests

SERVED = ("gpu", "isolated", "minimal", "production", "quickstart")
AGENT = "sample-dynabench-agent"


def template(manifests: Manifests) -> dict[str, Any]:
    """Return the template from which the agent makes pods."""
    [found] = (
        each for each in manifests.of("ConfigMap") if each["metadata"]["name"].endswith("-sandbox-pod")
    )
    pod: dict[str, Any] = json.loads(found["data"]["pod.json"])
    return pod


@pytest.fixture(params=SERVED)
def served(request: pytest.FixtureRequest, all_manifests: Mapping[str, Manifests]) -> Manifests:
    return all_manifests[request.param]


def test_a_pod_has_no_permissions_and_no_settings(served: Manifests) -> None:
    pod = template(served)["spec"]
    assert pod["automountServiceAccountToken"] is pod["enableServiceLinks"] is False
    assert (pod["dnsPolicy"], pod["restartPolicy"]) == ("None", "Never")
    assert not {"hostNetwork", "hostPID", "hostIPC", "serviceAccountName"} & set(pod)
    assert pod["securityContext"]["runAsNonRoot"]
    assert pod["securityContext"]["seccompProfile"] == {"type": "RuntimeDefault"}
    [container] = pod["containers"]
    assert container["securityContext"] == {
        "allowPrivilegeEscalation": False,
        "readOnlyRootFilesystem": True,
        "capabilities": {"drop": ["ALL"]},
    }
    assert set(container["resources"]["limits"]) == {"cpu", "memory", "ephemeral-storage"}
    assert not {"envFrom", "ports"} & set(container)
    assert [entry["name"] for entry in container["env"]] == ["HOST_IP"]
    assert [mount["mountPath"] for mount in container["volumeMounts"]] == [TEMPORARY]
    assert [volume["emptyDir"]["medium"] for volume in pod["volumes"]] == ["Memory"]


def test_a_pod_fits_kubernetes_own_schema(
    all_manifests: Mapping[str, Manifests], tools: Path, tmp_path: Path
) -> None:
    files = []
    for case in SERVED:
        files.append(tmp_path / f"{case}.yaml")
        files[-1].write_text(yaml.safe_dump(template(all_manifests[case])))
    command = [str(tools / "kubernetes-validate"), "--strict", "-k", "1.33", *map(str, files)]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (result.stdout + result.stderr).count("passed") == len(SERVED), result.stderr


def test_nothing_leaves_a_pod_and_no_other_policy_chooses_it(served: Manifests) -> None:
    pod = template(served)["metadata"]
    choosing = [
        policy
        for policy in served.of("NetworkPolicy")
        if policy["metadata"]["namespace"] == pod["namespace"]
        and policy["spec"]["podSelector"]["matchLabels"].items() <= pod["labels"].items()
    ]
    [policy] = choosing
    assert policy["spec"]["policyTypes"] == ["Ingress", "Egress"]
    assert "egress" not in policy["spec"]
    asked = {port["port"] for rule in policy["spec"]["ingress"] for port in rule["ports"]}
    assert asked == {LIFELINE_PORT, *PORTS.values()}


def test_arrows_across_namespaces_name_both(served: Manifests) -> None:
    namespace = template(served)["metadata"]["namespace"]
    crossing = 0
    for policy in served.of("NetworkPolicy"):
        own = policy["metadata"]["namespace"]
        for direction, peers in (("ingress", "from"), ("egress", "to")):
            for rule in policy["spec"].get(direction) or ():
                for peer in rule.get(peers, ()):
                    chosen = peer.get("podSelector", {}).get("matchLabels", {})
                    other = (
                        namespace
                        if chosen.get("app.kubernetes.io/name") == "dynabench-sandbox"
                        else "benchmarks"
                    )
                    if chosen and other != own:
                        assert peer["namespaceSelector"]["matchLabels"] == {
                            "kubernetes.io/metadata.name": other
                        }
                        crossing += 1
    assert crossing == 4


def test_the_agent_alone_has_a_token_and_may_make_pods_in_their_namespace_alone(served: Manifests) -> None:
    namespace = template(served)["metadata"]["namespace"]
    [role], [binding] = served.of("Role"), served.of("RoleBinding")
    assert not served.of("ClusterRole") + served.of("ClusterRoleBinding")
    assert {role["metadata"]["namespace"], binding["metadata"]["namespace"]} == {namespace}
    assert namespace != "benchmarks"
    assert {
        (each, verb) for rule in role["rules"] for each in rule["resources"] for verb in rule["verbs"]
    } == {
        *(("pods", verb) for verb in ("create", "get", "list", "delete")),
        ("pods/log", "get"),
    }
    [subject] = binding["subjects"]
    assert (subject["name"], subject["namespace"]) == (AGENT, "benchmarks")
    holders = {
        container["name"]
        for pod in served.every_pod()
        for container in pod["spec"]["containers"]
        for mount in container.get("volumeMounts", ())
        if "serviceaccount" in mount["mountPath"]
    }
    assert holders == {"agent"}
    assert all(pod["spec"]["automountServiceAccountToken"] is False for pod in served.every_pod())


def test_the_namespace_is_made_closed_unless_it_is_there_already(
    all_manifests: Mapping[str, Manifests],
) -> None:
    [made] = all_manifests["minimal"].of("Namespace")
    assert made["metadata"]["name"] == "benchmarks-sample-dynabench-sandboxes"
    assert made["metadata"]["labels"]["pod-security.kubernetes.io/enforce"] == "restricted"
    isolated = all_manifests["isolated"]
    assert not isolated.of("Namespace")
    pod = template(isolated)
    assert pod["metadata"]["namespace"] == "strangers"
    assert (pod["spec"]["runtimeClassName"], pod["spec"]["nodeSelector"]) == ("gvisor", {"pool": "strangers"})


def test_room_and_number_are_the_same_everywhere(served: Manifests) -> None:
    pod = template(served)["spec"]
    agent = served.environment(served.process("agent"))
    worker = served.environment(served.process("registry-worker"))
    assert agent["SANDBOXES"] == worker["SANDBOXES"]
    size = pod["volumes"][0]["emptyDir"]["sizeLimit"]
    assert int(agent["SANDBOX_DISK_BYTES"]) == int(size.removesuffix("Mi")) << 20


def test_switched_off_nothing_of_it_is_left(all_manifests: Mapping[str, Manifests]) -> None:
    manifests = all_manifests["all-options"]
    assert not manifests.of("Role") + manifests.of("RoleBinding") + manifests.of("Namespace")
    assert "SANDBOX_POD_FILE" not in manifests.environment(manifests.process("agent"))
    assert "serviceaccount" not in json.dumps(manifests.of("StatefulSet"))


def test_the_programs_named_in_a_pod_are_those_of_the_image() -> None:
    dockerfile = (
        Path(__file__).resolve().parents[2] / "deploy" / "docker" / "serving.Dockerfile"
    ).read_text()
    assert str(PYTHON) in dockerfile
    assert f"{IN_POD.java}\n" in dockerfile or f"JAVA_HOME={IN_POD.java}" in dockerfile
