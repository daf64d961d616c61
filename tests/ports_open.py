"""Probe every port on which a stack listens, as another user of the machine and without a credential.

The ports are those of the stack's processes in /proc, so that an unplanned one is found too. The probe is run by the
system's Python, as text: another user may not be able to read the checkout.
"""

import json
import os
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from dynabench_local import launch
from dynabench_local.layout import MOST_REPLICAS, Layout, offsets
from dynabench_local.services import WITH_HTTP

LISTENS = "0A"
PROBE = Path(__file__).with_name("probe_client.py")
PRIVATE_PATHS = {
    "edge": "/api/accounts/v1/me",
    "accounts": "/api/accounts/v1/me",
    "annotation": "/api/annotation/v1/dead-letters",
    "validation": "/api/validation/v1/dead-letters",
    "leaderboard": "/api/leaderboard/v1/dead-letters",
    "scoring": "/api/scoring/v1/dead-letters",
    "gateway": "/api/gateway/v1/models",
    "registry": "/api/registry/v1/models",
    "crowd": "/api/crowd/v1/dead-letters",
    "web": "/rounds/0192f5a0-0000-7000-8000-000000000001/tries",
    "torchserve_agent": "/agent/v1/notes",
    "torchserve_inference": "/ping",
    "torchserve_management": "/models",
}
"""A path of each HTTP server that is closed to anonymous callers; services' open paths are open at the edge too."""
NAMES = offsets(MOST_REPLICAS)
WAYS = {
    **{name: ["http", path] for name, path in PRIVATE_PATHS.items()},
    "postgres": ["postgres"],
    "kafka": ["kafka"],
    "kafka_controller": ["kafka"],
    "s3": ["objects", "/dynabench/health"],
    "torchserve_grpc_inference": ["grpc", "/org.pytorch.serve.grpc.inference.InferenceAPIsService/Ping"],
    "torchserve_grpc_management": [
        "grpc",
        "/org.pytorch.serve.grpc.management.ManagementAPIsService/ListModels",
    ],
    **{
        name: ["http", PRIVATE_PATHS[service]]
        for service in WITH_HTTP
        for name in NAMES
        if name.startswith(f"{service}-http")
    },
    **{name: ["http", "/metrics"] for name in NAMES if name.startswith("metrics ")},
    **{name: ["certificate"] for name in NAMES if name.startswith("weed_") or name == "s3_grpc"},
}


@dataclass(frozen=True)
class Listener:
    """A port that a process of the stack listens on."""

    address: str
    port: int
    program: str


def listeners(layout: Layout) -> list[Listener]:
    """Return every TCP port on which a process of the stack listens."""
    held = {
        inode: Path(f"/proc/{pid}/comm").read_text().strip()
        for pid in launch.left_over(f"{layout.home}|", layout.home)
        for inode in _sockets(pid)
    }
    found = []
    for table in ("tcp", "tcp6"):
        for line in Path(f"/proc/net/{table}").read_text().splitlines()[1:]:
            fields = line.split()
            address, port = fields[1].split(":")
            if fields[3] == LISTENS and fields[9] in held:
                found.append(Listener(address, int(port, 16), held[fields[9]]))
    return sorted(found, key=lambda listener: listener.port)


def _sockets(pid: int) -> set[str]:
    inodes = set()
    try:
        for descriptor in Path(f"/proc/{pid}/fd").iterdir():
            target = str(descriptor.readlink())
            if target.startswith("socket:["):
                inodes.add(target.removeprefix("socket:[").removesuffix("]"))
    except OSError:
        return inodes
    return inodes


def is_loopback(address: str) -> bool:
    """Return whether an address as /proc/net/tcp and tcp6 write it is one of the machine itself."""
    return address in {"0100007F", "0000000000000000FFFF00000100007F", "00000000000000000000000001000000"}


def probe_ports(ports: dict[str, int]) -> dict[str, str]:
    """Return the outcome for each of these ports: `refused`, or the exposed data.

    Under root the probe runs as `nobody`; other users can't change users, and probe as themselves without a credential.
    """
    return _run([[name, port, *WAYS[name]] for name, port in ports.items()])


def probe_access(layout: Layout) -> dict[str, str]:
    """Return the outcome of opening the data folder's files, and of signals to its processes, as another user.

    PostgreSQL's own software is world-readable.
    """
    software = layout.home / "postgres" / "software"
    paths = [str(path) for path in layout.home.rglob("*") if not path.is_relative_to(software)]
    pids = launch.left_over(f"{layout.home}|", layout.home)
    return _run([["files", paths, "files"], ["processes", pids, "processes"]])


def _run(plan: list[list[Any]]) -> dict[str, str]:
    is_root = os.getuid() == 0
    done = subprocess.run(
        ["/usr/bin/env", "python3", "-I", "-c", PROBE.read_text()],
        input=json.dumps(plan),
        capture_output=True,
        text=True,
        check=False,
        cwd="/",
        env={"PATH": "/usr/local/bin:/usr/bin:/bin"},
        user="nobody" if is_root else None,
        group="nogroup" if is_root else None,
        extra_groups=[] if is_root else None,
    )
    assert done.returncode == 0, done.stderr
    answers: dict[str, str] = json.loads(done.stdout)
    return answers
