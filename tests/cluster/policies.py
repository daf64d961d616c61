"""Enforces network policies on the node, as far as the chart uses them, by iptables: for the test alone.

Every pod has a pair of devices of its own, so packets to another pod pass the node's FORWARD chain, and packets to the
node the INPUT chain; a connection's addresses are those of its ends there already. The node stands for kube-system,
whose name service runs on it. An unsupported part of a policy raises Unknown. A new
pod's connections are refused until it was seen, within about a second.
"""

import json
import subprocess
import threading
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from ipaddress import IPv4Network, collapse_addresses
from typing import Any, TypeAlias

from tests.cluster.configuration import NODE
from tests.cluster.node import Node

CHAIN = "NETWORK-POLICIES"
HOOKS = ("FORWARD", "INPUT")
EVERY_SECONDS = 0.5
Document: TypeAlias = Mapping[str, Any]


class Unknown(Exception):
    """A policy has an unsupported part."""


@dataclass(frozen=True)
class Pod:
    """A pod with an address of its own."""

    namespace: str
    labels: Mapping[str, str]
    address: str


@contextmanager
def enforced(node: Node) -> Iterator[None]:
    """Enforce the policies and follow their changes while the block runs. Raises errors of that time."""
    stop = threading.Event()
    wrong: list[BaseException] = []
    before = _apply(node, "")

    def follow() -> None:
        known = before
        while not stop.wait(EVERY_SECONDS):
            try:
                known = _apply(node, known)
            except BaseException as err:
                wrong.append(err)
                return

    thread = threading.Thread(target=follow, name="policies")
    thread.start()
    try:
        yield
    finally:
        stop.set()
        thread.join()
        for hook in HOOKS:
            subprocess.run(node.inside("iptables", "-D", hook, "-j", CHAIN), check=True)
    if wrong:
        raise wrong[0]


def _apply(node: Node, known: str) -> str:
    """Write the rules if they are others than the known ones; return them."""
    listed = json.loads(node.kubectl("get", "pods,networkpolicies", "--all-namespaces", "-o", "json"))
    wanted = rules(listed["items"])
    if wanted != known:
        command = node.inside("iptables-restore", "--noflush", "--wait")
        subprocess.run(command, input=wanted, text=True, check=True)
        for hook in HOOKS:
            there = node.inside("iptables", "-C", hook, "-j", CHAIN)
            if subprocess.run(there, check=False, capture_output=True).returncode != 0:
                subprocess.run(node.inside("iptables", "-I", hook, "1", "-j", CHAIN), check=True)
    return wanted


def rules(items: Iterable[Document]) -> str:
    """Return the input of `iptables-restore` for these pods and policies. Raises Unknown."""
    found = list(items)
    pods = [pod for each in found if each["kind"] == "Pod" for pod in _pods(each)]
    policies = [each for each in found if each["kind"] == "NetworkPolicy"]
    peers = [*pods, Pod("kube-system", {}, NODE)]
    chains, lines = [CHAIN], []
    for pod in sorted(pods, key=lambda each: each.address):
        for kind, own, other in (("Egress", "-s", "-d"), ("Ingress", "-d", "-s")):
            chosen = [
                each for each in policies if _selects(each, pod) and kind in each["spec"]["policyTypes"]
            ]
            if not chosen:
                continue
            chain = f"{kind.upper()}-{pod.address}"
            chains.append(chain)
            lines.append(f"-A {CHAIN} {own} {pod.address} -m conntrack --ctstate NEW -j {chain}")
            for policy in chosen:
                for rule in policy["spec"].get(kind.lower(), ()):
                    lines += [
                        f"-A {chain} {allowed} -j RETURN" for allowed in _allowed(rule, other, policy, peers)
                    ]
            lines.append(f"-A {chain} -p tcp -j REJECT --reject-with tcp-reset")
            lines.append(f"-A {chain} -j REJECT")
    return "\n".join(["*filter", *(f":{chain} - [0:0]" for chain in chains), *lines, "COMMIT", ""])


def _pods(document: Document) -> Iterator[Pod]:
    status, metadata = document["status"], document["metadata"]
    is_over = status.get("phase") in ("Succeeded", "Failed")
    if status.get("podIP") and not is_over and not document["spec"].get("hostNetwork"):
        yield Pod(metadata["namespace"], metadata.get("labels", {}), status["podIP"])


def _selects(policy: Document, pod: Pod) -> bool:
    return policy["metadata"]["namespace"] == pod.namespace and _matches(
        policy["spec"]["podSelector"], pod.labels
    )


def _matches(selector: Document, labels: Mapping[str, str]) -> bool:
    if set(selector) - {"matchLabels"}:
        raise Unknown(f"a selector {selector}")
    return all(labels.get(name) == value for name, value in selector.get("matchLabels", {}).items())


def _allowed(rule: Document, flag: str, policy: Document, pods: Sequence[Pod]) -> Iterator[str]:
    """Yield the matches of what one rule allows."""
    peers = rule.get("to" if flag == "-d" else "from")
    addresses = (
        [""]
        if not peers
        else [f"{flag} {address}" for peer in peers for address in _of_peer(peer, policy, pods)]
    )
    ports = [_of_port(port) for port in rule.get("ports", ())] or [""]
    for address in addresses:
        for port in ports:
            yield f"{address} {port}".strip()


def _of_port(port: Document) -> str:
    if set(port) - {"protocol", "port"} or not isinstance(port.get("port"), int):
        raise Unknown(f"a port {port}")
    return f"-p {port.get('protocol', 'TCP').lower()} --dport {port['port']}"


def _of_peer(peer: Document, policy: Document, pods: Sequence[Pod]) -> Iterator[str]:
    if set(peer) == {"ipBlock"}:
        yield from _of_block(peer["ipBlock"])
        return
    if not peer or set(peer) - {"podSelector", "namespaceSelector"}:
        raise Unknown(f"a peer {peer}")
    own = policy["metadata"]["namespace"]
    for pod in pods:
        there = (
            _matches(peer["namespaceSelector"], {"kubernetes.io/metadata.name": pod.namespace})
            if "namespaceSelector" in peer
            else pod.namespace == own
        )
        if there and _matches(peer.get("podSelector", {}), pod.labels):
            yield pod.address


def _of_block(block: Document) -> list[str]:
    left = [IPv4Network(block["cidr"])]
    for without in map(IPv4Network, block.get("except", ())):
        left = [
            part
            for each in left
            for part in (each.address_exclude(without) if without.subnet_of(each) else (each,))
        ]
    return [str(each) for each in collapse_addresses(left)]
