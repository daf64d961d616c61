"""`make upgrades`: bring data of each of the two releases before to this version; write build/upgrades.json.

Each former version is installed from its own commit, started over a data folder of its own, and played on through its
public interface. Then this version starts over the same folder: all earlier answers must be the same, people sign in, a
try reaches its verdict, votes count, there are no dead letters, and the doctor finds no problem. Meanwhile processes of
the former version continue on the migrated databases. Tags select versions: `make upgrades PARTS=v0.1.0`.
"""

import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import psutil
from dynabench_client import Dynabench
from dynabench_common.testing import wait_until
from dynabench_local import launch
from dynabench_local.layout import Layout, checkout, span
from dynabench_local.preflight import free_port_base
from dynabench_local.stack import Stack
from dynabench_local.temporary import FOREIGN_SETTINGS, PREFIX, claim, remove_abandoned

from tests.figures import Figure, Report, at_least, at_most, plain
from tests.own_platform import console
from tests.scenarios import PRAISE, board, vote, write
from tests.upgrades.answers import Answers, Reader, addresses, differences
from tests.upgrades.former import FormerPlatform
from tests.upgrades.played import TASKS, People, Played, play
from tests.upgrades.side_by_side import SERVICES, compare, former_processes
from tests.upgrades.versions import Version, former_versions

STEADY_SECONDS = 3
SHOWN = 20
NO_RELEASE = "this clone knows no release before this version"
LEAST_ADDRESSES = 50
"""Minimum of compared addresses: with fewer, the former version does not know them."""


def say(line: str) -> None:
    """Print a line without buffering."""
    console.print(line)


@contextmanager
def data_folder() -> Iterator[Path]:
    """Give an empty data folder; end its processes and remove it at the end."""
    remove_abandoned(Path(tempfile.gettempdir()))
    home = Path(tempfile.mkdtemp(prefix=PREFIX))
    claim(home, psutil.Process())
    try:
        yield home
    finally:
        launch.end_left_over(f"{home}|", home)
        shutil.rmtree(home, ignore_errors=True)


def upgrade(version: Version) -> Iterator[Figure]:
    """Bring one version's data to this one, and yield the figures."""
    name = f"from {version.name}"
    with data_folder() as home:
        layout = Layout(checkout(), home, free_port_base(span(1)))
        former = FormerPlatform(version, home, layout.port_base, say)
        say(f"{name}: installing it")
        former.install()
        say(f"{name}: starting it")
        former.up()
        people = People(layout.public_url, home)
        say(f"{name}: playing on it")
        played = play(former, people)
        paths = addresses(TASKS, played.rounds)
        token = people.access_token("admin")
        answers = steady(Reader(people.url, token), paths)
        say(f"{name}: stopping it, starting this version over its data")
        settings = {service: former.settings(service) for service in SERVICES}
        former.down()
        began = time.monotonic()
        stack = Stack(layout, say)
        stack.up()
        stack.wait_for_targets()
        stack.seed()
        yield plain(f"{name}: this version ready after", time.monotonic() - began, "s")
        yield at_least(f"{name}: addresses compared", len(answers), "addresses", LEAST_ADDRESSES)
        found = lasting_differences(answers, Reader(people.url, token), paths)
        yield at_most(f"{name}: differences in what is told", shown(found), "places", 0)
        go_on(people, played)
        with former_processes(former, settings, home) as running:
            side_by_side_differences = compare(people, played, paths, running)
        yield at_most(
            f"{name}: differences beside its processes", shown(side_by_side_differences), "places", 0
        )
        yield at_most(f"{name}: dead letters", set_aside(people.client("admin")), "records", 0)
        yield at_most(f"{name}: the doctor's exit status", examine(stack), "", 0)
        stack.down()


def steady(reader: Reader, paths: dict[str, list[str]]) -> Answers:
    """Return the answers once they no longer change."""
    last = reader.read_all(paths)

    def stays() -> bool:
        nonlocal last
        time.sleep(STEADY_SECONDS)
        before, last = last, reader.read_all(paths)
        return before == last

    wait_until(stays, what="the former version to come to rest")
    return last


def lasting_differences(answers: Answers, reader: Reader, paths: dict[str, list[str]]) -> list[str]:
    """Return the differences that remain once this version has caught up."""
    found: list[str] = []

    def none_left() -> bool:
        nonlocal found
        found = list(differences(answers, reader.read_all(paths)))
        time.sleep(1)
        return not found

    try:
        wait_until(none_left, 60)
    except AssertionError:
        return found
    return []


def shown(found: Sequence[str]) -> int:
    """Print the first of the differences; return how many there are."""
    for line in found[:SHOWN]:
        say(f"  {line}")
    return len(found)


def go_on(people: People, played: Played) -> None:
    """Write a try and vote on one that waited over the upgrade; the board must count both."""
    owner, author, voter = (people.client(name) for name in ("olga", "ada", "cleo"))
    before = board(owner, played.round_in_progress)
    written = write(author, played.round_in_progress, PRAISE.format("new dish"), "negative")
    assert written.verdict == "fooled", written.verdict
    vote(voter, played.round_in_progress, dict.fromkeys([*played.waiting, written.example_id], "negative"))
    wait_until(
        lambda: (
            (now := board(owner, played.round_in_progress)).tries == before.tries + 1
            and now.votes == before.votes + 1
        ),
        what="the board to count what people do after the upgrade",
    )


def set_aside(admin: Dynabench) -> int:
    """Return the number of events that could not be sent or processed, including held partitions."""
    areas = (
        admin.accounts,
        admin.annotation,
        admin.validation,
        admin.leaderboard,
        admin.datasets,
        admin.registry,
    )
    found = [area.set_aside() for area in areas]
    return sum(len(each.items) + len(each.held) for each in found)


def examine(stack: Stack) -> int:
    """Let the doctor look; return its exit status."""
    command = [str(stack.layout.scripts / "dynabench-operate"), "doctor", "--local"]
    done = subprocess.run(
        command, env=stack.client_environment(), capture_output=True, text=True, check=False
    )
    if done.returncode:
        say(done.stdout + done.stderr)
    return done.returncode


def main() -> int:
    """Upgrade from each version; return 1 if data was lost."""
    for setting in FOREIGN_SETTINGS:
        if os.environ.get(setting):
            say(f"{setting} is set: unset it, upgrades are tried on stores of their own")
            return 2
    wanted = sys.argv[1:]
    versions = [version for version in former_versions() if not wanted or version.name in wanted]
    if not versions:
        which = f"{', '.join(wanted)} is no release before this version" if wanted else NO_RELEASE
        say(f"No upgrade was tried: {which} (git fetch --tags --unshallow).")
        return 2 if wanted else 0
    report = Report("make upgrades", Path("build/upgrades.json"))
    for version in versions:
        report.add(upgrade(version))
    return report.end()


if __name__ == "__main__":
    sys.exit(main())
