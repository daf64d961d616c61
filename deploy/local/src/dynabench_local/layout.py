"""Paths, ports and checkouts of the stack."""

import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from urllib.parse import urlsplit

DEFAULT_PORT_BASE = 8080
PORT_SPAN = 80
REPLICA_SPAN = 40
"""Further ports for each replica of the services, if there are several."""
MOST_REPLICAS = 5
PUBLIC_URL, PUBLIC_ORIGINS = "PUBLIC_URL", "PUBLIC_ORIGINS"

OFFSETS = {
    "edge": 0,
    "accounts": 1,
    "annotation": 2,
    "validation": 3,
    "leaderboard": 4,
    "gateway": 5,
    "registry": 6,
    "web": 7,
    "scoring": 8,
    "crowd": 9,
    "postgres": 10,
    "kafka": 11,
    "kafka_controller": 12,
    "s3": 13,
    "weed_master": 14,
    "weed_volume": 15,
    "weed_filer": 16,
    "weed_master_grpc": 17,
    "weed_volume_grpc": 18,
    "weed_filer_grpc": 19,
    "torchserve_inference": 20,
    "torchserve_management": 21,
    "weed_admin": 22,
    "s3_grpc": 23,
    "torchserve_grpc_inference": 24,
    "torchserve_grpc_management": 25,
    "weed_admin_grpc": 26,
    "torchserve_agent": 27,
    "crowd_platforms": 28,
    "torchserve_workers": 30,
}
WATCHED = (
    "accounts-http",
    "annotation-http",
    "validation-http",
    "leaderboard-http",
    "gateway-http",
    "registry-http",
    "web-http",
    "scoring-http",
    "torchserve-agent",
    "accounts-worker",
    "annotation-worker",
    "validation-worker",
    "leaderboard-worker",
    "registry-worker",
    "scoring-worker",
    "scoring-evaluator",
    "crowd-http",
    "crowd-worker",
)
"""The parts that show metrics."""
ALONE = "torchserve-agent"
"""The one without replicas, since it manages the only TorchServe."""
OFFSETS.update({f"metrics {part}": 60 + number for number, part in enumerate(WATCHED)})


def replica(part: str, number: int) -> str:
    """Return the name of a part's replica; the first has the part's own name."""
    return part if number == 1 else f"{part}-{number}"


@cache
def offsets(replicas: int) -> Mapping[str, int]:
    """Return the ports of a stack, counted from its first.

    With several replicas the ports of services are the balancer's, and each `http` has one of its own behind it.
    """
    found = dict(OFFSETS)
    for number in range(1, replicas + 1) if replicas > 1 else ():
        first = PORT_SPAN + (number - 1) * REPLICA_SPAN
        for place, part in enumerate(part for part in WATCHED if part != ALONE):
            if part.endswith("-http"):
                found[replica(part, number)] = first + place
            if number > 1:
                found[f"metrics {replica(part, number)}"] = first + len(WATCHED) + place
    return found


def span(replicas: int) -> int:
    """Return how many ports a stack may use."""
    return PORT_SPAN if replicas == 1 else PORT_SPAN + replicas * REPLICA_SPAN


@dataclass(frozen=True)
class Layout:
    """The checkout, the data folder and the ports of one stack; `demo_round` asks for the demonstration round."""

    checkout: Path
    home: Path
    port_base: int
    replicas: int = 1
    demo_round: bool = True

    @property
    def ports(self) -> dict[str, int]:
        """Return every port by its purpose."""
        return {name: self.port_base + offset for name, offset in offsets(self.replicas).items()}

    def port(self, name: str) -> int:
        """Return the port of a part."""
        return self.port_base + offsets(self.replicas)[name]

    def http_port(self, part: str) -> int:
        """Return the port on which one replica of a service's `http` listens."""
        service = part.partition("-")[0]
        return self.port(service if self.replicas == 1 else part)

    def replicas_of(self, part: str) -> list[str]:
        """Return the names of a part's replicas."""
        if part == ALONE or part not in WATCHED:
            return [part]
        return [replica(part, number) for number in range(1, self.replicas + 1)]

    @property
    def watched(self) -> list[str]:
        """Return the names of the parts that show metrics."""
        return [name for part in WATCHED for name in self.replicas_of(part)]

    def url(self, name: str) -> str:
        """Return the HTTP address of a part."""
        return f"http://127.0.0.1:{self.port(name)}"

    @property
    def public_url(self) -> str:
        """Return the address that people use: the edge's, or one that leads to it, as PUBLIC_URL says."""
        return os.environ.get(PUBLIC_URL, "").rstrip("/") or self.url("edge")

    @property
    def origins(self) -> list[str]:
        """Return every origin from which browsers may come; on this machine `localhost` is one too."""
        further = filter(None, os.environ.get(PUBLIC_ORIGINS, "").replace(",", " ").split())
        own = (self.url("edge"), f"http://localhost:{self.port('edge')}")
        return list(dict.fromkeys([origin_of(self.public_url), *further, *own]))

    @property
    def logs(self) -> Path:
        """Return the folder of log files, one per part."""
        return self.home / "logs"

    @property
    def models_file(self) -> Path:
        """Return the list of served models: the data folder's own `models.yaml`, or the shipped one."""
        own = self.home / "models.yaml"
        return own if own.exists() else self.checkout / "model-archives" / "models.yaml"

    @property
    def platforms_file(self) -> Path:
        """Return the data folder's list of crowd platforms, which the operator may change."""
        return self.home / "crowd-platforms.json"

    @property
    def run(self) -> Path:
        """Return the folder of what the supervisor needs."""
        return self.home / "run"

    @property
    def object_store(self) -> Path:
        """Return the folder of S3's data."""
        return self.home / "seaweedfs" / "data"

    @property
    def model_store(self) -> Path:
        """Return the folder of archives that TorchServe sees."""
        return self.home / "torchserve" / "store"

    @property
    def serving_python(self) -> Path:
        """Return the interpreter of the serving environment."""
        return self.checkout / ".venv-serving" / "bin" / "python"

    @property
    def scripts(self) -> Path:
        """Return the folder of console scripts of this environment."""
        return Path(sys.executable).parent


def origin_of(address: str) -> str:
    """Return scheme, host and port of an address, as browsers name where a page comes from."""
    parts = urlsplit(address)
    return f"{parts.scheme}://{parts.netloc}"


def _check_addresses() -> None:
    """Raise ValueError for an address in the environment that browsers could not use."""
    for name in (PUBLIC_URL, PUBLIC_ORIGINS):
        for given in os.environ.get(name, "").replace(",", " ").split():
            parts = urlsplit(given)
            is_whole = (
                parts.scheme in {"http", "https"} and parts.hostname and not (parts.query or parts.fragment)
            )
            if not is_whole or (name == PUBLIC_ORIGINS and parts.path):
                example = "https://bench.example.org"
                raise ValueError(f"{name} is {given!r}: give an address such as {example}.")


def default_home(port_base: int) -> Path:
    """Return the data folder used when DYNABENCH_HOME is not set.

    Root's lies outside root's home folder, since PostgreSQL runs as another user and must reach its part.
    """
    if os.getuid() == 0:
        return Path("/var/lib/dynabench") / str(port_base)
    base = os.environ.get("XDG_DATA_HOME") or str(Path.home() / ".local" / "share")
    return Path(base) / "dynabench" / str(port_base)


def from_environment() -> Layout:
    """Return the layout that DYNABENCH_HOME, PORT_BASE, REPLICAS and DEMO_ROUND ask for.

    Raises ValueError if PORT_BASE is no port, REPLICAS no number of replicas, DEMO_ROUND neither yes nor no, or
    PUBLIC_URL no address.
    """
    _check_addresses()
    replicas = wanted_replicas()
    most = 65535 - span(replicas)
    given = os.environ.get("PORT_BASE") or str(DEFAULT_PORT_BASE)
    if not given.isdecimal() or not 1024 <= int(given) <= most:
        raise ValueError(f"PORT_BASE is {given!r}: give a number from 1024 to {most}.")
    port_base = int(given)
    home = Path(os.environ.get("DYNABENCH_HOME") or default_home(port_base)).resolve()
    return Layout(
        checkout=checkout(),
        home=home,
        port_base=port_base,
        replicas=replicas,
        demo_round=wants_demo_round(),
    )


def wants_demo_round() -> bool:
    """Return whether DEMO_ROUND asks for the demonstration round. Raises ValueError."""
    given = os.environ.get("DEMO_ROUND") or "yes"
    if given not in ("yes", "no"):
        raise ValueError(f"DEMO_ROUND is {given!r}: give yes or no.")
    return given == "yes"


def wanted_replicas() -> int:
    """Return how many processes of each kind REPLICAS asks for. Raises ValueError."""
    given = os.environ.get("REPLICAS") or "1"
    if not given.isdecimal() or not 1 <= int(given) <= MOST_REPLICAS:
        raise ValueError(f"REPLICAS is {given!r}: give a number from 1 to {MOST_REPLICAS}.")
    return int(given)


def checkout() -> Path:
    """Return the root of the checkout this package is installed from."""
    return Path(__file__).resolve().parents[4]


def note_use(layout: Layout) -> list[Path]:
    """Record that this checkout uses the data folder, and return the other existing checkouts that did.

    Copies with the same PORT_BASE share their data by default.
    """
    path = layout.home / "checkouts"
    known = [Path(line) for line in path.read_text().splitlines()] if path.exists() else []
    if layout.checkout not in known:
        layout.home.mkdir(parents=True, exist_ok=True)
        with path.open("a") as file:
            file.write(f"{layout.checkout}\n")
    return [other for other in known if other != layout.checkout and other.exists()]
