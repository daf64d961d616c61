"""Rendered manifests as Kubernetes reads them: ports, settings of processes, and allowed connections."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import yaml

COMPONENT = "app.kubernetes.io/component"
OF_PODS = {"status.podIP": "10.1.2.3"}
Manifest = dict[str, Any]


@dataclass(frozen=True, order=True)
class Arrow:
    """An allowed connection between components, at a port of the pod."""

    source: str
    target: str
    port: int


class Manifests:
    """All objects of one rendering."""

    def __init__(self, text: str) -> None:
        self.objects: list[Manifest] = [each for each in yaml.safe_load_all(text) if each]

    def of(self, kind: str) -> list[Manifest]:
        """Return the objects of a kind."""
        return [each for each in self.objects if each["kind"] == kind]

    @cached_property
    def pods(self) -> dict[str, Manifest]:
        """Return the pods' templates by the component that they are; of several migrations the last."""
        return {each["metadata"]["labels"][COMPONENT]: each for each in self.every_pod()}

    def every_pod(self) -> list[Manifest]:
        """Return every pod's template."""
        kinds = ("Deployment", "StatefulSet", "Job")
        templates = [each["spec"]["template"] for kind in kinds for each in self.of(kind)]
        by_the_clock = [each["spec"]["jobTemplate"]["spec"]["template"] for each in self.of("CronJob")]
        return templates + by_the_clock + self.of("Pod")

    def containers(self) -> Iterator[tuple[str, Manifest]]:
        """Yield component and container of all permanent processes."""
        for component, pod in self.pods.items():
            for container in pod["spec"]["containers"]:
                yield component, container

    def own_names(self, component: str) -> set[str]:
        """Return the names by which a pod's containers reach each other."""
        aliases = self.pods[component]["spec"].get("hostAliases", ())
        return {name for each in aliases if each["ip"] == "127.0.0.1" for name in each["hostnames"]}

    def process(self, name: str) -> Manifest:
        """Return the container of a process."""
        return next(container for _, container in self.containers() if container["name"] == name)

    def secret_keys(self, process: str) -> dict[str, tuple[str, str]]:
        """Return Secret and key by setting, for the settings of a process that come from a Secret."""
        references = {
            entry["name"]: entry["valueFrom"]["secretKeyRef"]
            for entry in self.process(process)["env"]
            if "secretKeyRef" in entry.get("valueFrom", {})
        }
        return {name: (reference["name"], reference["key"]) for name, reference in references.items()}

    def environment(self, container: Manifest) -> dict[str, str]:
        """Return a container's environment; a secret is replaced by its place, in letters that fit into addresses."""
        found: dict[str, str] = {}
        for source in container.get("envFrom", ()):
            found.update(self._configuration(source["configMapRef"]["name"]))
        for entry in container.get("env", ()):
            found[entry["name"]] = entry["value"] if "value" in entry else _from(entry["valueFrom"])
        return {name: _expanded(value, found) for name, value in found.items()}

    def _configuration(self, name: str) -> Mapping[str, str]:
        found = next(each for each in self.of("ConfigMap") if each["metadata"]["name"] == name)
        data: dict[str, str] = found["data"]
        return data

    @cached_property
    def addresses(self) -> dict[tuple[str, int], tuple[str, int]]:
        """Return, by name and port of each Service with pods, their component and the port they listen on."""
        found = {}
        for service in self.of("Service"):
            component = service["spec"].get("selector", {}).get(COMPONENT)
            if component is None:
                continue
            for port in service["spec"]["ports"]:
                listens = self._container_port(component, port["targetPort"])
                found[service["metadata"]["name"], port["port"]] = (component, listens)
        return found

    def _container_port(self, component: str, name: str) -> int:
        ports = {
            port["name"]: port["containerPort"]
            for container in self.pods[component]["spec"]["containers"]
            for port in container.get("ports", ())
        }
        return int(ports[name])

    def allowed_out(self) -> set[Arrow]:
        """Return the connections that policies allow, to pods of the release."""
        return set(self._arrows("egress", "to"))

    def allowed_in(self) -> set[Arrow]:
        """Return the connections that policies accept, from pods of the release."""
        return {Arrow(arrow.target, arrow.source, arrow.port) for arrow in self._arrows("ingress", "from")}

    def _arrows(self, direction: str, peers: str) -> Iterator[Arrow]:
        for policy in self.of("NetworkPolicy"):
            component = policy["spec"]["podSelector"]["matchLabels"].get(COMPONENT)
            for rule in policy["spec"].get(direction) or ():
                for peer in rule.get(peers, ()):
                    other = peer.get("podSelector", {}).get("matchLabels", {}).get(COMPONENT)
                    if other is not None:
                        yield from (Arrow(component, other, int(port["port"])) for port in rule["ports"])

    def outside_ports(self, component: str) -> set[int]:
        """Return the ports at which a component may reach addresses outside the release."""
        return {
            int(port["port"])
            for policy in self.of("NetworkPolicy")
            if policy["spec"]["podSelector"]["matchLabels"].get(COMPONENT) == component
            for rule in policy["spec"].get("egress") or ()
            if not any(
                COMPONENT in peer.get("podSelector", {}).get("matchLabels", {}) for peer in rule.get("to", ())
            )
            for port in rule["ports"]
        }


def _from(source: Manifest) -> str:
    if "fieldRef" in source:
        return OF_PODS[source["fieldRef"]["fieldPath"]]
    return f"secret-{source['secretKeyRef']['key']}"


def _expanded(value: str, known: Mapping[str, str]) -> str:
    return re.sub(r"\$\((\w+)\)", lambda found: known[found[1]], value)
