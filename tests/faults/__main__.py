"""`make faults`: kill and stop parts of platforms of its own under load; write build/faults.json.

Every part's main process, and one below it, is killed with SIGKILL in turn; Kafka, PostgreSQL and TorchServe are
stopped for 20 seconds. Then each acknowledged try must exist once, each event must have had its effect once, and the
boards must equal a rebuild from the log. An import is interrupted and must be whole in the end; evaluations are
disturbed and must give the undisturbed results. The disks that submitted models need are filled. Parts are stopped
until Prometheus' alerts fire, which must end after the restart. Names of parts select them: `make faults
PARTS=evaluations`.
"""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import psutil
import psycopg2
from dynabench_client.results.base import every
from dynabench_local import postgres

from tests.faults import alerts, crowd, evaluations, imports, models, space
from tests.faults.load import CastVote, Load
from tests.figures import Figure, Report, at_most, plain
from tests.own_platform import OwnPlatform, console, own_platform

OUTAGE_SECONDS = 20
SETTLE_SECONDS = 2
RECOVERY_BAR_SECONDS = 60
STOPPED = ("kafka", "postgres", "torchserve")


def kill(platform: OwnPlatform, part: str) -> None:
    """Kill a part's main process."""
    os.kill(platform.stack.supervisor.states()[part]["pid"], signal.SIGKILL)


def kill_descendant(position: int) -> Callable[[OwnPlatform, str], None]:
    """Return a fault that kills a process below the main one: 0 is the first child, -1 the deepest."""

    def strike(platform: OwnPlatform, part: str) -> None:
        descendants(platform, part)[position].kill()

    return strike


def descendants(platform: OwnPlatform, part: str) -> list[psutil.Process]:
    """Return the processes below a part's main one: workers, backends, the Java of TorchServe."""
    return psutil.Process(platform.stack.supervisor.states()[part]["pid"]).children(recursive=True)


def outage(platform: OwnPlatform, part: str) -> None:
    """Stop a part for a while."""
    platform.stack.supervisor.stop_part(part)
    time.sleep(OUTAGE_SECONDS)
    platform.stack.supervisor.start_part(part)


def under_fault(
    platform: OwnPlatform, load: Load, name: str, part: str, fault: Callable[[OwnPlatform, str], None]
) -> Iterator[Figure]:
    """Run the fault, wait until tries are acknowledged again, and report the time between."""
    acknowledged, refused = load.ledger.counts()
    began = time.monotonic()
    fault(platform, part)
    recovered = _recovery(platform, load, part, began)
    time.sleep(SETTLE_SECONDS)
    now_acknowledged, now_refused = load.ledger.counts()
    console.print(
        f"{name}: {now_acknowledged - acknowledged} tries acknowledged, {now_refused - refused} refused, "
        f"again normal after {recovered:.1f} s"
    )
    yield plain(f"{name}: acknowledged", now_acknowledged - acknowledged, "tries")
    yield plain(f"{name}: refused", now_refused - refused, "calls")
    yield at_most(f"{name}: normal again after", recovered, "s", RECOVERY_BAR_SECONDS)


def _recovery(platform: OwnPlatform, load: Load, part: str, began: float) -> float:
    deadline = began + RECOVERY_BAR_SECONDS + OUTAGE_SECONDS
    time.sleep(0.5)
    is_ready = platform.stack.parts[part].is_ready
    while time.monotonic() < deadline:
        before, _ = load.ledger.counts()
        if is_ready() and load.ledger.counts()[0] >= before:
            time.sleep(0.5)
            if load.ledger.counts()[0] > before:
                return time.monotonic() - began
        time.sleep(0.1)
    return time.monotonic() - began


def verdicts(platform: OwnPlatform, load: Load) -> Iterator[Figure]:
    """Compare acknowledged writes with the stored ones."""
    stored = list(
        every(
            lambda cursor: platform.owner.annotation.examples(
                platform.round_id, author="all", limit=200, cursor=cursor
            )
        )
    )
    texts = [str(example.input["text"]) for example in stored]
    by_text = {str(example.input["text"]): example.example_id for example in stored}
    lost = sum(by_text.get(text) != example_id for text, example_id in load.ledger.examples.items())
    yield plain("tries acknowledged in all", len(load.ledger.examples), "tries")
    yield at_most("acknowledged tries lost", lost, "tries", 0)
    yield at_most("tries stored twice", len(texts) - len(set(texts)), "tries", 0)
    yield at_most("tries stored that nobody sent", len(set(texts) - load.ledger.attempted), "tries", 0)
    yield plain("votes refused meanwhile", load.ledger.vote_refusals, "calls")
    board = _settled(platform, len(stored))
    yield from _vote_figures(platform, load)
    yield at_most("tries on the board more or less than stored", abs(board - len(stored)), "tries", 0)
    yield at_most("read-model rows that differ from a rebuild", _differences(platform), "rows", 0)


def _vote_figures(platform: OwnPlatform, load: Load) -> Iterator[Figure]:
    """Compare votes one by one: acknowledged to voters, stored by validation, counted by the board."""
    columns = "vote_id::text, voter_id::text, example_id::text, lease_id::text, option"
    stored = {
        row[0]: CastVote(*row[1:])
        for row in _rows(platform, "validation", f"SELECT {columns} FROM vote WHERE lease_id IS NOT NULL")
    }
    acknowledged = load.ledger.votes
    lost = acknowledged.keys() - stored.keys()
    changed = [name for name in acknowledged.keys() & stored.keys() if acknowledged[name] != stored[name]]
    doubled = len(stored) - len({(vote.voter_id, vote.example_id) for vote in stored.values()})
    yield plain("votes acknowledged in all", len(acknowledged), "votes")
    yield at_most("acknowledged votes lost", len(lost), "votes", 0)
    yield at_most("acknowledged votes stored otherwise", len(changed), "votes", 0)
    yield at_most("votes stored twice", doubled, "votes", 0)
    yield at_most(
        "votes stored that nobody sent", len(set(stored.values()) - load.ledger.votes_sent), "votes", 0
    )
    on_board = {row[0] for row in _rows(platform, "leaderboard", "SELECT vote_id::text FROM vote")}
    yield at_most("acknowledged votes that the board lacks", len(acknowledged.keys() - on_board), "votes", 0)


def _rows(platform: OwnPlatform, service: str, statement: str) -> list[tuple[str, ...]]:
    url = platform.stack.environment(service)["DATABASE_URL"].replace("+psycopg2", "")
    connection = psycopg2.connect(url)
    try:
        with connection, connection.cursor() as cursor:
            cursor.execute(statement)
            return cursor.fetchall()
    finally:
        connection.close()


def _settled(platform: OwnPlatform, tries: int, seconds: float = 60) -> int:
    deadline = time.monotonic() + seconds
    while True:
        board = platform.owner.leaderboard.round(platform.round_id)
        votes = platform.owner.validation.counts(platform.round_id)
        agrees = (board.tries, board.votes, board.resolved) == (tries, votes.votes, votes.resolved)
        if agrees or time.monotonic() > deadline:
            return board.tries
        time.sleep(0.5)


def _differences(platform: OwnPlatform) -> int:
    layout = platform.stack.layout
    environment = {**os.environ, **platform.stack.environment("leaderboard")}
    secrets = {**platform.stack.secrets, "rebuilt": "rebuilt"}
    postgres.ensure_database(postgres.admin_url(layout, secrets), "rebuilt", "rebuilt", "rebuilt")
    url = postgres.owner_url(layout, secrets, "rebuilt")

    def leaderboard(*arguments: str) -> str:
        command = [str(layout.scripts / "leaderboard"), *arguments]
        return subprocess.run(command, env=environment, check=True, capture_output=True, text=True).stdout

    leaderboard("rebuild", "--database-url", url)
    rebuilt = json.loads(leaderboard("snapshot", "--database-url", url, "--json"))
    live = json.loads(leaderboard("snapshot", "--json"))
    return sum(
        abs(len(live[table]) - len(rebuilt[table]))
        + sum(mine != theirs for mine, theirs in zip(live[table], rebuilt[table], strict=False))
        for table in live
    )


def tries(platform: OwnPlatform) -> Iterator[Figure]:
    """Kill and stop every part while people try and vote; compare acknowledged writes with the stored ones."""
    load = Load(platform)
    load.start()
    time.sleep(3)
    for part in platform.stack.parts:
        yield from under_fault(platform, load, f"kill -9 {part}", part, kill)
        below = descendants(platform, part)
        if below:
            yield from under_fault(platform, load, f"kill -9 a child of {part}", part, kill_descendant(0))
        if len(below) > 1 and part == "torchserve":
            yield from under_fault(platform, load, "kill -9 a model worker", part, kill_descendant(-1))
    for part in STOPPED:
        if part in platform.stack.parts:
            yield from under_fault(platform, load, f"{part} away for {OUTAGE_SECONDS} s", part, outage)
    load.stop()
    yield from verdicts(platform, load)


PARTS: dict[str, Callable[[OwnPlatform], Iterator[Figure]]] = {
    "tries": tries,
    "imports": imports.figures,
    "evaluations": lambda platform: evaluations.figures(platform, kill),
    "models": models.figures,
    "crowd": lambda platform: crowd.figures(platform, kill),
    "space": space.figures,
    "alerts": alerts.figures,
}
"""The parts of the drill in their order."""
APART = {"space", "alerts"}
"""Parts with a platform of their own, since earlier parts leave traces: idle archives that can be removed for space,
and failures that alerts over six hours still count.
"""


def main(wanted: Sequence[str]) -> int:
    """Run the wanted parts, all if none is named; return 1 if a figure misses its limit, 2 for an unknown name."""
    if unknown := set(wanted) - set(PARTS):
        console.print(f"no such part: {', '.join(sorted(unknown))}. There are {', '.join(PARTS)}.")
        return 2
    report = Report(" ".join(["make faults", *wanted]), Path(f"build/{'-'.join(['faults', *wanted])}.json"))
    names = list(wanted or PARTS)
    together = [name for name in names if name not in APART]
    separate = [[name] for name in names if name in APART]
    for group in filter(None, [together, *separate]):
        with own_platform() as platform:
            for name in group:
                console.print(f"disturbing {name}")
                report.add(PARTS[name](platform))
    return report.end()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
