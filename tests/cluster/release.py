"""The platform on the cluster: its images, its release, and how its edge is reached."""

import json
import socket
import subprocess
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import yaml
from dynabench_local.layout import checkout

from tests.cluster.configuration import NODE_NAME
from tests.cluster.node import Node
from tests.played_try import MODEL, say

CHART = checkout() / "helm" / "dynabench"
VALUES = Path(__file__).with_name("values.yaml")
STORAGE = Path(__file__).with_name("storage.yaml")
IMAGES = checkout() / "build" / "images.env"
RELEASE = "bench"
NAMESPACE = "bench"
FULL_NAME = "bench-dynabench"
PORT = 18080
FOLDERS = 4
INSTALL_SECONDS = 600


class Release:
    """The chart, installed on a node."""

    namespace = NAMESPACE
    url = f"http://127.0.0.1:{PORT}"

    def __init__(self, node: Node, images: dict[str, str]) -> None:
        self.node = node
        self._images = images
        self._kept: list[str] = []

    def prepare(self) -> None:
        """Make the storage, and write the values of this machine's images."""
        self.node.kubectl("apply", "-f", "-", given=_storage(self.node.places.state / "volumes"))
        models = yaml.safe_load((checkout() / "model-archives" / "models.yaml").read_text())["models"]
        served = [{key: value for key, value in model.items() if key != "explain"} for model in models]
        one = yaml.safe_dump({"models": [model for model in served if model["name"] == MODEL]})
        names = {"postgres": "POSTGRES", "kafka": "KAFKA", "s3": "SEAWEEDFS", "caddy": "CADDY"}
        values: dict[str, Any] = {
            "serving": {"models": one},
            "quickstart": {"images": {key: self._images[f"{name}_IMAGE"] for key, name in names.items()}},
            "processes": {process: {"replicas": 1, **_small()} for process in processes()},
        }
        (self.node.places.state / "values.yaml").write_text(yaml.safe_dump(values))

    def keep(self, *options: str) -> None:
        """Give these options to every call of Helm from now on."""
        self._kept += options

    def helm(self, verb: str, *more: str) -> None:
        """Install or upgrade, and wait until everything is ready. Raises CalledProcessError."""
        own = str(self.node.places.state / "values.yaml")
        files = ["--values", str(VALUES), "--values", own]
        where = [RELEASE, str(CHART), "--namespace", NAMESPACE, "--create-namespace"]
        waiting = ["--wait", f"--timeout={INSTALL_SECONDS}s"]
        self.node.helm(verb, *where, *files, *waiting, *self._kept, *more)

    def test(self) -> None:
        """Run `helm test`. Raises CalledProcessError."""
        self.node.helm("test", RELEASE, "--namespace", NAMESPACE)

    def kubectl(self, *arguments: str, given: str | None = None, check: bool = True) -> str:
        """Run kubectl in the platform's namespace. Raises CalledProcessError."""
        return self.node.kubectl("--namespace", NAMESPACE, *arguments, given=given, check=check)

    def accounts(self, *arguments: str, given: str) -> None:
        """Run a command in the container of accounts. Raises CalledProcessError."""
        self.kubectl(
            "exec",
            "-i",
            f"deploy/{FULL_NAME}-accounts-http",
            "-c",
            "accounts-http",
            "--",
            *arguments,
            given=given,
        )

    def edge(self) -> str:
        """Return the address of the edge's Service, which the node forwards to its pods."""
        found = self.kubectl("get", "service", f"{FULL_NAME}-edge", "-o", "jsonpath={.spec.clusterIP}")
        return f"http://{found}:8080"

    def deployments(self) -> list[str]:
        """Return the names of all Deployments."""
        found = json.loads(self.kubectl("get", "deployments", "-o", "json"))
        return sorted(each["metadata"]["name"] for each in found["items"])

    @contextmanager
    def forwarded(self) -> Iterator[None]:
        """Lead PORT of this machine to the edge while the block runs, as the chart's notes say. Raises TimeoutError."""
        command = ["--namespace", NAMESPACE, "port-forward", f"service/{FULL_NAME}-edge", f"{PORT}:8080"]
        kubectl = self.node.places.programs / "kubectl"
        process = subprocess.Popen(
            [kubectl, *command],
            env=self.node.environment,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        try:
            _wait_for_port(PORT)
            yield
        finally:
            process.terminate()
            process.wait()

    def print_state(self) -> None:
        """Print the state of the pods and the last events."""
        say(self.kubectl("get", "pods", "-o", "wide", check=False))
        events = self.kubectl("get", "events", "--sort-by=.lastTimestamp", check=False)
        say("\n".join(events.splitlines()[-40:]))
        listed = self.kubectl("get", "pods", "--no-headers", check=False).splitlines()
        for line in listed:
            name, ready, state, *_ = line.split()
            if state != "Completed" and len(set(ready.split("/"))) > 1:
                say(f"--- {name} {state}")
                say(self.kubectl("logs", name, "--all-containers", "--tail=8", check=False)[-3000:])


def processes() -> list[str]:
    """Return the processes that Deployments run."""
    table = yaml.safe_load((CHART / "files" / "processes.yaml").read_text())
    return [name for name, of in table.items() if of["faces"] != "agent"]


def faces(process: str) -> str:
    """Return whether a process is `http` or `worker`."""
    table = yaml.safe_load((CHART / "files" / "processes.yaml").read_text())
    return str(table[process]["faces"])


def image_names(lines: Sequence[str]) -> dict[str, str]:
    """Return the images that `make images` wrote down."""
    return dict(line.split("=", 1) for line in lines if "=" in line)


def _small() -> dict[str, Any]:
    return {"resources": {"requests": {"cpu": "10m", "memory": "64Mi"}, "limits": {"memory": "2Gi"}}}


def _storage(folder: Path) -> str:
    """Return the storage class with a volume for each claim, in a folder of its own."""
    documents = [yaml.safe_load(STORAGE.read_text())]
    for number in range(FOLDERS):
        path = folder / str(number)
        path.mkdir(parents=True, exist_ok=True)
        here = {"key": "kubernetes.io/hostname", "operator": "In", "values": [NODE_NAME]}
        documents.append(
            {
                "apiVersion": "v1",
                "kind": "PersistentVolume",
                "metadata": {"name": f"folder-{number}"},
                "spec": {
                    "capacity": {"storage": "10Gi"},
                    "accessModes": ["ReadWriteOnce"],
                    "storageClassName": "folders",
                    "local": {"path": str(path)},
                    "nodeAffinity": {"required": {"nodeSelectorTerms": [{"matchExpressions": [here]}]}},
                },
            }
        )
    return yaml.safe_dump_all(documents)


def _wait_for_port(port: int) -> None:
    for _ in range(100):
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
            return
        except OSError:
            time.sleep(0.1)
    raise TimeoutError(f"nothing listens at port {port}")
