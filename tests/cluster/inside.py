"""The first process inside the cluster's namespaces: `python inside.py PLAN`, started by node.py.

It runs the programs that the plan names, in their order, takes in the processes that containers leave behind, and ends
when one of the programs ends. All in its namespaces ends with it: processes, mounts and devices of the network.
Only the standard library is used.
"""

import json
import os
import socket
import subprocess
import sys
import time
from pathlib import Path

OWN_FOLDERS = ("/run/containerd", "/run/cni", "/run/netns", "/var/lib/cni")
PATIENCE_SECONDS = 60
PREPARED = (
    "mount --make-rshared /",
    "ip link set lo up",
    "ip link set into-cluster up",
    "sysctl -qw net.ipv4.ip_forward=1",
)


def main(plan: Path) -> int:
    """Run everything until a program ends; return 1, since none should."""
    document = json.loads(plan.read_text())
    for folder in OWN_FOLDERS:
        Path(folder).mkdir(parents=True, exist_ok=True)
        subprocess.run(["mount", "-t", "tmpfs", "tmpfs", folder], check=True)
    sys.stdin.readline()
    for line in (*PREPARED, *document["commands"]):
        subprocess.run(line.split(), check=True)
    running = {}
    for name, command in document["programs"].items():
        with Path(document["logs"], f"{name}.log").open("wb") as log:
            process = subprocess.Popen(command, stdout=log, stderr=log, stdin=subprocess.DEVNULL)
        running[process.pid] = name
        if name in document["listens"]:
            _wait_for(*document["listens"][name])
    print("started", flush=True)
    while True:
        pid, status = os.wait()
        if pid in running:
            print(f"{running[pid]} ended with {os.waitstatus_to_exitcode(status)}", flush=True)
            return 1


def _wait_for(host: str, port: int) -> None:
    """Wait until a program listens, since the next one ends where it does not."""
    until = time.monotonic() + PATIENCE_SECONDS
    while time.monotonic() < until:
        try:
            socket.create_connection((host, port), timeout=1).close()
            return
        except OSError:
            time.sleep(0.1)


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
