"""Exactly the connections of the architecture are allowed at both ends, each to an open port."""

from collections.abc import Mapping
from urllib.parse import urlsplit

import pytest

from tests.chart.manifests import Arrow, Manifests

HTTP = 8000
INFERENCE = 8085
API = ("accounts", "annotation", "validation", "leaderboard", "scoring", "gateway", "registry", "crowd")
VERIFIERS = ("annotation", "validation", "leaderboard", "scoring", "registry", "crowd")
ARROWS = {
    *(Arrow("web-http", f"{service}-http", HTTP) for service in API),
    *(Arrow(f"{service}-http", "accounts-http", HTTP) for service in (*VERIFIERS, "gateway")),
    Arrow("serving", "accounts-http", HTTP),
    Arrow("accounts-worker", "leaderboard-http", HTTP),
    Arrow("annotation-http", "gateway-http", HTTP),
    Arrow("annotation-worker", "gateway-http", HTTP),
    Arrow("annotation-worker", "leaderboard-http", HTTP),
    Arrow("scoring-worker", "gateway-http", HTTP),
    Arrow("scoring-worker", "annotation-http", HTTP),
    Arrow("scoring-http", "gateway-http", HTTP),
    Arrow("scoring-evaluator", "gateway-http", HTTP),
    Arrow("registry-worker", "gateway-http", HTTP),
    Arrow("gateway-http", "registry-http", HTTP),
    Arrow("gateway-http", "annotation-http", HTTP),
    Arrow("gateway-http", "serving", INFERENCE),
    Arrow("registry-worker", "serving", HTTP),
}
"""Section 1 of the architecture: calls between services. Keys of access tokens are asked of accounts."""
TO_SANDBOXES = {
    *(Arrow("serving", "sandbox", port) for port in (8084, 8085, 8086)),
    Arrow("gateway-http", "sandbox", INFERENCE),
}
"""To pods that the agent makes: the agent sends the archive and probes, the gateway requests predictions."""
WITHOUT_SANDBOXES = "all-options"
WITH_DATABASE = ("accounts", "annotation", "validation", "leaderboard", "scoring", "registry", "crowd")
DATABASE_USERS = {f"{name}-{kind}" for name in WITH_DATABASE for kind in ("http", "worker")} | {
    "scoring-evaluator"
}
EVENT_USERS = {f"{name}-worker" for name in WITH_DATABASE}
OBJECT_USERS = {
    *(f"{name}-{kind}" for name in ("annotation", "scoring", "registry") for kind in ("http", "worker")),
    "scoring-evaluator",
    "serving",
}
NEVER_CALLED = {
    ("accounts-http", "JWKS_URL"),
    ("crowd-worker", "ACCOUNTS_URL"),
    *((f"{name}-worker", "JWKS_URL") for name in WITH_DATABASE),
}
"""Settings of a class in a process without such calls."""
OUTSIDE = (
    *("PUBLIC_URL", "S3_PUBLIC_ENDPOINT_URL", "S3_ENDPOINT_URL"),
    *("DATABASE_URL", "DATABASE_DIRECT_URL", "DATABASE_OWNER_URL", "POSTGRES_ADMIN_URL"),
)


def between_processes(arrows: set[Arrow]) -> set[Arrow]:
    others = {"edge", "test", "postgres", "kafka", "s3", "prepare", "migrate", "doctor", "backup"}
    return {arrow for arrow in arrows if not {arrow.source, arrow.target} & others}


def test_policies_allow_the_arrows_of_the_architecture_and_no_others(
    all_manifests: Mapping[str, Manifests],
) -> None:
    for case, manifests in all_manifests.items():
        drawn = ARROWS if case == WITHOUT_SANDBOXES else ARROWS | TO_SANDBOXES
        assert between_processes(manifests.allowed_out()) == drawn, case
        assert between_processes(manifests.allowed_in()) == drawn, case


def test_every_arrow_has_both_its_ends(manifests: Manifests) -> None:
    out = manifests.allowed_out()
    assert {arrow for arrow in manifests.allowed_in() if arrow.source != "edge"} == {
        arrow for arrow in out if arrow.source != "edge"
    }
    assert {arrow for arrow in out if arrow.source == "edge"} <= manifests.allowed_in()


def test_every_address_is_listened_on_and_may_be_called(manifests: Manifests) -> None:
    called = set()
    for component, container in manifests.containers():
        within = {"127.0.0.1", *manifests.own_names(component)}
        for name, value in manifests.environment(container).items():
            address = urlsplit(value)
            if not name.endswith("_URL") or name.endswith(OUTSIDE) or address.hostname in within:
                continue
            target, port = manifests.addresses[str(address.hostname), int(address.port or 0)]
            if (component, name) not in NEVER_CALLED:
                called.add(Arrow(component, target, port))
    assert called == ARROWS


def test_who_listens_binds_to_the_port_that_is_named(manifests: Manifests) -> None:
    for _, container in manifests.containers():
        environment = manifests.environment(container)
        bound = [environment[name] for name in ("HTTP_BIND", "METRICS_BIND") if name in environment]
        if bound:
            assert bound == [f"0.0.0.0:{port['containerPort']}" for port in container["ports"]]


def test_probes_ask_ports_that_are_there(manifests: Manifests) -> None:
    for _, container in manifests.containers():
        ports = {port["name"] for port in container.get("ports", ())}
        for probe in ("startupProbe", "readinessProbe", "livenessProbe"):
            asked = container.get(probe, {})
            where = asked.get("httpGet", asked.get("tcpSocket", {})).get("port")
            assert where is None or where in ports


def test_every_process_has_its_three_probes(manifests: Manifests) -> None:
    jobs = {"migrate", "prepare", "test", "doctor", "backup"}
    for component, container in manifests.containers():
        if component not in jobs:
            assert {"startupProbe", "readinessProbe", "livenessProbe"} <= set(container), container["name"]


@pytest.mark.parametrize(
    ("store", "port", "users"),
    [("postgres", 5432, DATABASE_USERS), ("kafka", 9092, EVENT_USERS), ("s3", 8333, OBJECT_USERS)],
)
def test_stores_are_reached_by_their_users_alone(
    all_manifests: Mapping[str, Manifests], store: str, port: int, users: set[str]
) -> None:
    quickstart = all_manifests["quickstart"]
    others = {"prepare", "migrate"} if store == "postgres" else {"prepare"}
    for arrows in (quickstart.allowed_in(), quickstart.allowed_out()):
        assert {arrow.source for arrow in arrows if arrow.target == store} == users | others
        assert {arrow.port for arrow in arrows if arrow.target == store} == {port}


def test_stores_elsewhere_are_reached_by_their_users_alone(all_manifests: Mapping[str, Manifests]) -> None:
    manifests = all_manifests["isolated"]
    reached = {component: manifests.outside_ports(component) for component in manifests.pods}
    assert {name for name, ports in reached.items() if 5432 in ports} == DATABASE_USERS | {
        "migrate",
        "doctor",
    }
    assert {name for name, ports in reached.items() if 9092 in ports} == EVENT_USERS | {"doctor"}
    assert {name for name, ports in reached.items() if 443 in ports} == OBJECT_USERS | {"doctor"}
    assert {name for name, ports in reached.items() if 6443 in ports} == {"serving"}
    assert set().union(*reached.values()) == {5432, 9092, 443, 53, 6443}


def test_mail_and_webhooks_leave_from_one_process_each(all_manifests: Mapping[str, Manifests]) -> None:
    production = all_manifests["production"]
    assert {name for name in production.pods if 587 in production.outside_ports(name)} == {"accounts-worker"}
    world = [
        policy["metadata"]["name"]
        for policy in production.of("NetworkPolicy")
        if "0.0.0.0/0" in str(policy["spec"])
    ]
    assert world == ["sample-dynabench-registry-worker"]


def test_traces_leave_from_every_process_to_the_collector_alone(
    all_manifests: Mapping[str, Manifests],
) -> None:
    tracing, without = all_manifests["all-options"], all_manifests["production"]
    processes = {arrow.source for arrow in ARROWS} | {arrow.target for arrow in ARROWS} | EVENT_USERS
    assert {name for name in tracing.pods if 4318 in tracing.outside_ports(name)} == processes
    assert not [name for name in without.pods if 4318 in without.outside_ports(name)]
    peers = [
        rule["to"]
        for policy in tracing.of("NetworkPolicy")
        for rule in policy["spec"].get("egress") or ()
        if {"protocol": "TCP", "port": 4318} in rule.get("ports", ())
    ]
    assert peers
    assert all(to == [{"namespaceSelector": {"matchLabels": {"name": "monitoring"}}}] for to in peers)


def test_everything_is_closed_first(manifests: Manifests) -> None:
    closed = next(
        each for each in manifests.of("NetworkPolicy") if each["metadata"]["name"].endswith("default-deny")
    )
    assert closed["spec"]["policyTypes"] == ["Ingress", "Egress"]
    assert not {"ingress", "egress"} & set(closed["spec"])
    chosen = closed["spec"]["podSelector"]["matchLabels"].items()
    assert all(chosen <= pod["metadata"]["labels"].items() for pod in manifests.every_pod())
