"""A real Prometheus that reads a platform of its own, with the shipped rules, shortened."""

import json
import re
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import urllib3
import yaml
from dynabench_common.testing import wait_until

from tests.faults.shorter import shortened
from tests.own_platform import OwnPlatform

PROGRAM = "prometheus"
OBSERVABILITY = Path(__file__).resolve().parents[2] / "deploy" / "observability"
START_SECONDS = 60.0
NAMES = re.compile(r"\b(?:up|dynabench[_:][\w:]+)\b")


class Prometheus:
    """Asks a running Prometheus."""

    def __init__(self, url: str) -> None:
        self._url = url
        self._pool = urllib3.PoolManager(retries=False, timeout=30)

    def is_ready(self) -> bool:
        """Return whether it answers questions."""
        try:
            return self._pool.request("GET", f"{self._url}/-/ready").status == 200
        except urllib3.exceptions.HTTPError:
            return False

    def get(self, path: str, **fields: str) -> Any:
        """Return its answer. Raises ValueError with its message for a refusal."""
        answer = json.loads(self._pool.request("GET", f"{self._url}/api/v1/{path}", fields=fields).data)
        if answer["status"] != "success":
            raise ValueError(answer["error"])
        return answer["data"]

    def metric_names(self) -> set[str]:
        """Return the names of all its metrics."""
        return set(self.get("label/__name__/values"))

    def value_count(self, query: str) -> int:
        """Return how many series a query answers with."""
        return len(self.get("query", query=query)["result"])

    def groups(self) -> list[dict[str, Any]]:
        """Return the groups of rules that are loaded."""
        return list(self.get("rules")["groups"])

    def firing(self) -> list[dict[str, Any]]:
        """Return the alerts that fire."""
        return [each for each in self.get("alerts")["alerts"] if each["state"] == "firing"]


def shipped_rules() -> dict[str, Any]:
    """Return the shipped files of rules by name."""
    return {path.name: yaml.safe_load(path.read_text()) for path in (OBSERVABILITY / "rules").glob("*.yaml")}


def panels() -> dict[str, list[str]]:
    """Return the queries of the shipped dashboards by the title of their panel."""
    boards = [json.loads(path.read_text()) for path in (OBSERVABILITY / "dashboards").glob("*.json")]
    return {
        panel["title"]: [target["expr"] for target in panel["targets"]]
        for board in boards
        for panel in board["panels"]
    }


def named_in(expressions: list[str]) -> set[str]:
    """Return the names of metrics and of recorded series in expressions."""
    return {name for each in expressions for name in NAMES.findall(each)}


@contextmanager
def prometheus(platform: OwnPlatform, factor: int) -> Iterator[Prometheus]:
    """Start Prometheus on the platform's own configuration, its durations and those of the rules divided."""
    program = shutil.which(PROGRAM)
    if program is None:
        raise FileNotFoundError(PROGRAM)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        configuration = _configuration(platform, folder, factor)
        port = _free_port()
        with (folder / "prometheus.log").open("w") as log:
            process = subprocess.Popen(
                [
                    program,
                    f"--config.file={configuration}",
                    f"--storage.tsdb.path={folder / 'data'}",
                    f"--web.listen-address=127.0.0.1:{port}",
                    "--log.level=warn",
                ],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
            )
        try:
            yield _ready(Prometheus(f"http://127.0.0.1:{port}"), process, folder / "prometheus.log")
        finally:
            process.terminate()
            process.wait(30)


def _configuration(platform: OwnPlatform, folder: Path, factor: int) -> Path:
    """Write the platform's configuration and the rules, shortened, and return the first."""
    own = platform.stack.layout.home / "prometheus" / "prometheus.yml"
    made = shortened(yaml.safe_load(own.read_text()), factor)
    rules = folder / "rules"
    rules.mkdir()
    for name, document in shipped_rules().items():
        (rules / name).write_text(yaml.safe_dump(shortened(document, factor)))
    made["rule_files"] = [str(rules / "*.yaml")]
    path = folder / "prometheus.yml"
    path.write_text(yaml.safe_dump(made))
    return path


def _ready(asked: Prometheus, process: subprocess.Popen[bytes], log: Path) -> Prometheus:
    try:
        wait_until(lambda: process.poll() is not None or asked.is_ready(), START_SECONDS, "Prometheus")
    finally:
        if process.poll() is not None:
            raise RuntimeError(f"Prometheus ended at once: {log.read_text()[-2000:]}")
    return asked


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
