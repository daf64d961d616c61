"""The rules that stand for network policies on the test's node."""

from typing import Any

import pytest

from tests.cluster.configuration import NODE
from tests.cluster.policies import CHAIN, Unknown, rules

WEB, API, STORE = "198.18.64.2", "198.18.64.3", "198.18.64.4"


def pod(name: str, address: str, **more: Any) -> dict[str, Any]:
    metadata = {"namespace": "bench", "labels": {"component": name}}
    return {
        "kind": "Pod",
        "metadata": metadata,
        "spec": {},
        "status": {"podIP": address, "phase": "Running"},
    } | more


def policy(name: str, **spec: Any) -> dict[str, Any]:
    selector = {"matchLabels": {"component": name}} if name else {}
    kinds = [kind for kind in ("Ingress", "Egress") if kind.lower() in spec] or ["Ingress", "Egress"]
    return {
        "kind": "NetworkPolicy",
        "metadata": {"namespace": "bench"},
        "spec": {"podSelector": selector, "policyTypes": kinds, **spec},
    }


def to(name: str, port: int) -> dict[str, Any]:
    peers = [{"podSelector": {"matchLabels": {"component": name}}}]
    return {"to": peers, "ports": [{"protocol": "TCP", "port": port}]}


def test_a_pod_that_a_policy_selects_says_only_what_one_allows() -> None:
    pods = [pod("web", WEB), pod("api", API), pod("store", STORE)]
    found = rules([*pods, policy("web", egress=[to("api", 8000)])]).splitlines()
    assert f"-A {CHAIN} -s {WEB} -m conntrack --ctstate NEW -j EGRESS-{WEB}" in found
    assert [line for line in found if f"EGRESS-{WEB}" in line and "RETURN" in line] == [
        f"-A EGRESS-{WEB} -d {API} -p tcp --dport 8000 -j RETURN"
    ]
    assert found[-2] == f"-A EGRESS-{WEB} -j REJECT"
    assert API not in "".join(line for line in found if CHAIN in line)


def test_the_node_answers_for_names() -> None:
    peers = [{"namespaceSelector": {"matchLabels": {"kubernetes.io/metadata.name": "kube-system"}}}]
    rule = {"to": peers, "ports": [{"protocol": "UDP", "port": 53}]}
    found = rules([pod("web", WEB), policy("web", egress=[rule])])
    assert f"-A EGRESS-{WEB} -d {NODE} -p udp --dport 53 -j RETURN" in found
    assert f"-d {NODE}" not in rules([pod("web", WEB), policy("web", egress=[to("api", 53)])])


def test_what_denies_everything_leaves_nothing_open_either_way() -> None:
    found = rules([pod("web", WEB), policy("")])
    assert "RETURN" not in found
    assert f":EGRESS-{WEB} " in found
    assert f":INGRESS-{WEB} " in found


def test_a_rule_without_peers_is_open_to_all_and_a_peer_that_selects_nobody_to_none() -> None:
    ports = [{"protocol": "TCP", "port": 8080}]
    open_to_all = rules([pod("web", WEB), policy("web", ingress=[{"ports": ports}])])
    assert f"-A INGRESS-{WEB} -p tcp --dport 8080 -j RETURN" in open_to_all
    nobody = [{"podSelector": {"matchLabels": {"component": "nobody"}}}]
    assert "RETURN" not in rules([pod("web", WEB), policy("web", ingress=[{"from": nobody, "ports": ports}])])


def test_pods_that_have_ended_and_those_of_other_namespaces_are_no_peers() -> None:
    ended = pod("api", API, status={"podIP": API, "phase": "Succeeded"})
    elsewhere = pod("api", STORE, metadata={"namespace": "other", "labels": {"component": "api"}})
    assert "RETURN" not in rules([pod("web", WEB), ended, elsewhere, policy("web", egress=[to("api", 8000)])])


def test_a_block_is_left_open_without_its_exceptions() -> None:
    block = {"cidr": "10.0.0.0/30", "except": ["10.0.0.0/31", "192.168.0.0/16"]}
    found = rules([pod("web", WEB), policy("web", egress=[{"to": [{"ipBlock": block}]}])])
    assert f"-A EGRESS-{WEB} -d 10.0.0.2/31 -j RETURN" in found
    assert "10.0.0.0/" not in found


@pytest.mark.parametrize(
    "rule",
    [
        {"to": [{"podSelector": {"matchExpressions": []}}]},
        {"to": [{}]},
        {"ports": [{"port": "http"}]},
        {"ports": [{"port": 1, "endPort": 9}]},
    ],
)
def test_what_is_not_known_is_not_passed_over(rule: dict[str, Any]) -> None:
    with pytest.raises(Unknown):
        rules([pod("web", WEB), policy("web", egress=[rule])])
