"""HTTP processes of the former version on the databases that this version has migrated."""

import socket
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path

import urllib3
from dynabench_client import Dynabench
from dynabench_common.testing import wait_until

from tests.scenarios import PRAISE, board, vote, write
from tests.upgrades.answers import Reader, differences
from tests.upgrades.former import FormerPlatform
from tests.upgrades.played import People, Played

SERVICES = ("accounts", "annotation", "validation")
PATIENCE_SECONDS = 90

Settings = dict[str, dict[str, str]]
"""Of the former version's services, by service, as they were before the upgrade."""


@contextmanager
def former_processes(former: FormerPlatform, settings: Settings, folder: Path) -> Iterator[dict[str, str]]:
    """Give the addresses of the former version's HTTP processes, by service; end them afterwards."""
    with ExitStack() as stack:
        found = {
            service: stack.enter_context(_process(former, service, variables, folder))
            for service, variables in settings.items()
        }
        for service, address in found.items():
            wait_until(lambda at=address: _is_ready(at), PATIENCE_SECONDS, f"the former {service}")
        yield found


@contextmanager
def _process(former: FormerPlatform, service: str, variables: dict[str, str], folder: Path) -> Iterator[str]:
    address = f"127.0.0.1:{_free_port()}"
    log = folder / f"former-{service}.log"
    process = former.start_http(service, {**variables, "HTTP_BIND": address}, log)
    try:
        yield f"http://{address}"
    finally:
        process.terminate()
        process.wait(60)


def _free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        port: int = found.getsockname()[1]
        return port


def _is_ready(address: str) -> bool:
    try:
        return urllib3.request("GET", f"{address}/healthz/ready", timeout=3, retries=False).status == 200
    except urllib3.exceptions.HTTPError:
        return False


def compare(
    people: People, played: Played, paths: dict[str, list[str]], former: dict[str, str]
) -> Sequence[str]:
    """Read, sign in, write a try and vote by the former processes; return the differences in answers."""
    asked = {service: paths[service] for service in SERVICES}
    token = people.access_token("admin")
    answers = Reader(people.url, token, former).read_all(asked)
    found = list(differences(answers, Reader(people.url, token).read_all(asked)))
    owner = people.client("olga")
    before = board(owner, played.round_in_progress)
    author, voter = (_by_former_processes(people, name, former) for name in ("ben", "cleo"))
    written = write(author, played.round_in_progress, PRAISE.format(f"soup {time.time()}"), "negative")
    if written.verdict != "fooled":
        found.append(f"a try by the former version is {written.verdict}")
    vote(voter, played.round_in_progress, dict.fromkeys([*played.waiting, written.example_id], "negative"))
    wait_until(
        lambda: (
            (now := board(owner, played.round_in_progress)).tries == before.tries + 1
            and now.votes == before.votes + 1
        ),
        what="the board to count what the former version wrote",
    )
    return found


def _by_former_processes(people: People, user_name: str, former: dict[str, str]) -> Dynabench:
    """Return a client that signs in, makes an API token and goes on with it, all at the former processes."""
    signed_in = people.client(user_name, former)
    token = signed_in.accounts.create_token("side by side")
    return Dynabench(people.url, urls=former, token=token.token)
