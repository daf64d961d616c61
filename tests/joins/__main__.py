"""`python -m tests.joins`: do members of consumer groups join in time, again and again, with every core busy?

Eight members in four processes share four groups. Each joins, reads for one to five seconds, leaves and joins again;
every sixteenth membership begins a new process. As many processes as there are cores do nothing but compute, and the
broker is killed as often as is asked for. `--client 2.3.3` tries another version of kafka-python than the one that is
installed. Writes build/joins.json; exits with status 1 if a member was deaf for longer than 5 s.
"""

import argparse
import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from dynabench_common.events.brokers import connection
from dynabench_local import topics
from dynabench_local.kafka import admin_address
from dynabench_local.layout import checkout
from dynabench_local.stack import Stack
from dynabench_local.temporary import temporary_stack
from kafka import KafkaProducer
from kafka.admin import KafkaAdminClient, NewTopic
from kafka.errors import KafkaError

from tests.figures import Figure, Report, at_least, at_most, plain

PROCESSES = 4
GROUPS = ("joins.a", "joins.b", "joins.c", "joins.d")
PARTITIONS = 4
STAYS = 16
DEAF_SECONDS = 5.0
# A membership that begins this soon after a kill of the broker is counted separately: the broker needs seconds to
# start.
AROUND_A_KILL_SECONDS = 20.0


def main() -> int:
    """Run the drill."""
    parser = argparse.ArgumentParser(prog="python -m tests.joins")
    parser.add_argument("--joins", type=int, default=200)
    parser.add_argument("--client", help="a version of kafka-python to try in the members")
    parser.add_argument(
        "--ask-first", action="store_true", help="ask for the partitions before the first poll"
    )
    parser.add_argument("--kills", type=int, default=0, help="how often the broker is killed meanwhile")
    given = parser.parse_args()
    environment = _environment(given.client)
    client = given.client or "(installed)"
    report = Report(f"joins with kafka-python {client}", Path("build/joins.json"))
    with temporary_stack() as stack:
        stack.up(["kafka"])
        report.add(_drill(stack, given, environment))
    return report.end()


def _environment(version: str | None) -> dict[str, str]:
    """Return the members' environment; a requested version of the client is installed into a separate folder."""
    if version is None:
        return dict(os.environ)
    target = checkout() / "build" / "joins" / version
    if not target.exists():
        uv = [
            str(Path(sys.executable).parent / "uv"),
            "pip",
            "install",
            "--quiet",
            "--python",
            sys.executable,
        ]
        subprocess.run([*uv, "--no-deps", "--target", str(target), f"kafka-python=={version}"], check=True)
    return {**os.environ, "PYTHONPATH": str(target)}


def _drill(stack: Stack, given: argparse.Namespace, environment: dict[str, str]) -> Iterator[Figure]:
    servers = admin_address(stack.layout, stack.secrets)
    _make_topics(servers)
    stop, reports, kills = threading.Event(), _Reports(given.joins), list[float]()
    threads = [threading.Thread(target=_publish, args=(servers, stop), daemon=True)]
    threads += [
        threading.Thread(
            target=_members, args=(servers, number, given.ask_first, environment, reports), daemon=True
        )
        for number in range(PROCESSES)
    ]
    burners = [
        subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(os.cpu_count() or 2)
    ]
    began = time.time()
    try:
        for thread in threads:
            thread.start()
        _kill_now_and_then(stack, given.kills, reports, kills)
        for thread in threads[1:]:
            thread.join()
    finally:
        stop.set()
        for burner in burners:
            burner.kill()
    yield from _figures(reports.found, kills, given.joins)
    yield plain("seconds that it took", time.time() - began, "s")
    yield plain("load of the machine, one minute", os.getloadavg()[0], "")


class _Reports:
    """The members' reports, until there are enough."""

    def __init__(self, wanted: int) -> None:
        self.found: list[dict[str, Any]] = []
        self._wanted = wanted

    def is_complete(self) -> bool:
        """Return whether no further member needs to start."""
        return len(self.found) >= self._wanted


def _make_topics(servers: str) -> None:
    admin = KafkaAdminClient(**connection(servers))
    admin.create_topics([NewTopic(name, PARTITIONS, 1) for name in GROUPS])
    admin.close()
    topics.ensure_topics(servers)


def _publish(servers: str, stop: threading.Event) -> None:
    producer = KafkaProducer(**connection(servers), linger_ms=0, max_block_ms=2_000)
    while not stop.wait(0.1):
        for topic in GROUPS:
            for partition in range(PARTITIONS):
                try:
                    producer.send(topic, b"tick", partition=partition)
                except KafkaError:
                    stop.wait(0.2)


def _members(
    servers: str, number: int, asks_first: bool, environment: dict[str, str], reports: _Reports
) -> None:
    """Run one process of members after the other. Two processes share each group."""
    groups = GROUPS[:2] if number % 2 else GROUPS[2:]
    generation = 0
    while not reports.is_complete():
        generation += 1
        command = [sys.executable, "-m", "tests.joins.member", servers, ",".join(groups)]
        command += [f"{number}-{generation}", str(STAYS), "1" if asks_first else "0"]
        process = subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True)
        assert process.stdout is not None
        for line in process.stdout:
            reports.found.append(json.loads(line))
            if reports.is_complete():
                process.terminate()
        process.wait()


def _kill_now_and_then(stack: Stack, times: int, reports: _Reports, kills: list[float]) -> None:
    for _ in range(times):
        for _ in range(300):
            time.sleep(0.1)
            if reports.is_complete():
                return
        os.kill(stack.supervisor.states()["kafka"]["pid"], signal.SIGKILL)
        kills.append(time.time())


def _figures(found: Sequence[dict[str, Any]], kills: Sequence[float], wanted: int) -> Iterator[Figure]:
    def is_calm(membership: dict[str, Any]) -> bool:
        return not any(
            membership["began_at"] - AROUND_A_KILL_SECONDS < kill < membership["ended_at"] for kill in kills
        )

    calm = [membership for membership in found if is_calm(membership)]
    joins = sorted(
        membership["joined_after"] for membership in calm if membership["joined_after"] is not None
    )
    late = sum(join > DEAF_SECONDS for join in joins)
    deaf = sum(membership["longest_silence"] > DEAF_SECONDS for membership in calm)
    given_up = sum(membership["given_up"] for membership in found)
    yield at_least("joins", len(found), "joins", wanted)
    yield plain("until the first record, p50", joins[len(joins) // 2], "s")
    yield plain("until the first record, p99", joins[len(joins) * 99 // 100], "s")
    yield plain("until the first record, longest", joins[-1], "s")
    yield at_most("first records later than 5 s", late, "joins", 0)
    yield plain(
        "longest silence after a join", max(membership["longest_silence"] for membership in calm), "s"
    )
    yield at_most("members deaf for over 5 s", deaf, "joins", 0)
    yield plain("oldest heartbeat", max(membership["oldest_heartbeat"] for membership in found), "s")
    yield at_most("members given up after 30 s", given_up, "joins", 0)
    yield plain(
        "members that ended with an error", sum(bool(membership["error"]) for membership in found), "joins"
    )
    around = [membership for membership in found if not is_calm(membership)]
    yield plain("kills of the broker", len(kills), "kills")
    waits = [max(membership["longest_silence"], membership["joined_after"] or 0.0) for membership in around]
    yield plain("longest wait or silence around a kill", max(waits, default=0.0), "s")


if __name__ == "__main__":
    sys.exit(main())
