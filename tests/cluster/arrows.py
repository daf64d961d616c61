"""Connections on the node, tried from within every process, against the table of allowed calls."""

import json
from collections.abc import Mapping

import yaml
from dynabench_client import Dynabench

from tests.cluster.policies import enforced
from tests.cluster.release import CHART, FULL_NAME, Release
from tests.figures import Figure, at_least, at_most
from tests.played_try import opened_round, play

ROLL_SECONDS = 300
STORES = {"database": "postgres", "events": "kafka", "objects": "s3"}
PORTS = {"postgres": 5432, "kafka": 9092, "s3": 8333, "torchserve": 8085, "edge": 8080}
SERVICE_PORT = 8000
TRY = """
import json, socket, sys, threading
reached = []
def ask(name, host, port):
    try:
        socket.create_connection((host, port), timeout=4).close()
        reached.append(name)
    except OSError:
        pass
threads = [threading.Thread(target=ask, args=each) for each in json.loads(sys.argv[1])]
for each in threads: each.start()
for each in threads: each.join()
print(json.dumps(sorted(reached)))
"""
Arrows = set[tuple[str, str]]


def with_policies(release: Release, admin: Dynabench) -> list[Figure]:
    """Restart every Deployment while policies are enforced, play tries, and try every possible connection."""
    drawn, every = _drawn()
    open_before = _reached(release, every) - drawn
    with enforced(release.node):
        release.kubectl("rollout", "restart", "deployment")
        for name in release.deployments():
            release.kubectl("rollout", "status", f"deployment/{name}", f"--timeout={ROLL_SECONDS}s")
        play(admin, opened_round(admin))
        release.test()
        reached = _reached(release, every)
    missing, besides = len(every) - len(drawn), reached - drawn
    return [
        at_least(
            f"arrows that are not drawn and are open without enforcement, of {missing}",
            len(open_before),
            "",
            missing,
        ),
        at_most(f"the same with policies enforced, of {missing}", len(besides), "", 0),
        at_most(
            f"drawn arrows that are shut with policies enforced, of {len(drawn)}", len(drawn - reached), "", 0
        ),
    ]


def _drawn() -> tuple[Arrows, Arrows]:
    """Return the connections in the table of processes, and all possible ones."""
    table: Mapping[str, Mapping[str, list[str]]] = yaml.safe_load(
        (CHART / "files" / "processes.yaml").read_text()
    )
    listening = [name.removesuffix("-http") for name in table if name.endswith("-http")]
    targets = [*listening, "agent", *PORTS]
    drawn = {
        (process, target)
        for process, of in table.items()
        for target in [*of.get("calls", ()), *(STORES[store] for store in of.get("stores", ()))]
    }
    own = {("agent", "agent"), ("agent", "torchserve")}
    return drawn, {(process, target) for process in table for target in targets} - own


def _reached(release: Release, every: Arrows) -> Arrows:
    found: Arrows = set()
    for process in sorted({process for process, _ in every}):
        asked = [
            (target, f"{FULL_NAME}-{target}", PORTS.get(target, SERVICE_PORT))
            for one, target in sorted(every)
            if one == process
        ]
        where = (
            f"statefulset/{FULL_NAME}-serving" if process == "agent" else f"deployment/{FULL_NAME}-{process}"
        )
        command = ("exec", where, "-c", process, "--", "python", "-c", TRY, json.dumps(asked))
        found |= {(process, target) for target in json.loads(release.kubectl(*command))}
    return found
