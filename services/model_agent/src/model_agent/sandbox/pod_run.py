"""One run of a sandbox's pod: create it, send its archive, and poll it over that connection until it ends."""

import json
import socket
import threading
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from dynabench_common.telemetry.logging import get_logger

from model_agent.sandbox.backend import Obstacle
from model_agent.sandbox.client import connect, printable
from model_agent.sandbox.cluster import Pods, PodsRefused, Seen
from model_agent.sandbox.init import OPEN
from model_agent.sandbox.output import LAST_BYTES

log = get_logger(__name__)
LIFELINE_PORT = 8084
CONNECT_SECONDS = 5.0
ANSWER_SECONDS = 60.0
LONGEST_ANSWER = 10_000
SEE_AGAIN_SECONDS = 1.0
REMOVED = "its pod was removed by somebody else"
OPEN_NETWORK = "the network is open to sandboxes: their NetworkPolicies are missing or nobody enforces them"


@dataclass(frozen=True)
class Surroundings:
    """Shared state of the runs of one agent.

    More threads than `most_tasks` in a pod are too many. `removals` takes names of pods that the cluster failed to
    remove, for a retry. `note_open` is called if a pod reached a forbidden address.
    """

    pods: Pods
    most_tasks: int
    removals: set[str]
    note_open: Callable[[str], None]


class PodRun:
    """One run of a pod. Only `end` may be called from another thread than the one that made it."""

    def __init__(
        self,
        surroundings: Surroundings,
        manifest: Mapping[str, Any],
        key: str,
        archive: Path | None,
        number: int,
    ) -> None:
        """Have it made. Raises PodsRefused."""
        self.number = number
        self.name = str(manifest["metadata"]["name"])
        self.address: str | None = None
        self._surroundings = surroundings
        self._pods = surroundings.pods
        self._key = key
        self._archive = archive
        self._owner = threading.current_thread()
        self._lifeline: socket.socket | None = None
        self._is_over = self._is_removed = False
        self._last_words: str | None = None
        self._peak: int | None = None
        self._waits = ""
        self._seen_at = -SEE_AGAIN_SECONDS
        try:
            self._pods.create(manifest)
        except PodsRefused:
            self._remove()  # it may have been made all the same
            raise

    def look(self) -> str | None:
        """Give it its archive as soon as it runs; then ask how it is. Raises Obstacle."""
        if self._is_over:
            return "it was to end"
        if self._lifeline is not None:
            return self._asked(self._lifeline)
        if time.monotonic() - self._seen_at < SEE_AGAIN_SECONDS:
            return None
        self._seen_at = time.monotonic()
        try:
            pod = self._pods.see(self.name)
        except PodsRefused as err:
            self._waits = str(err)
            return None
        if pod is None:
            raise Obstacle(REMOVED)
        self._waits = pod.waits
        if pod.ended is not None:
            return self._ended(pod)
        return self._begun(pod) if pod.is_running and pod.address else None

    def hint(self) -> str:
        """Return what its start waits for."""
        return self._waits

    def peak_bytes(self) -> int | None:
        """Return what its first program said last."""
        return self._peak

    def end(self) -> None:
        """Cut its lifeline, so that it ends by itself; in its own thread have it removed, too."""
        self._is_over = True
        self.address = None
        lifeline = self._lifeline
        if lifeline is not None:
            with suppress(OSError):
                lifeline.shutdown(socket.SHUT_RDWR)
        if threading.current_thread() is not self._owner or self._is_removed:
            return
        if lifeline is not None:
            lifeline.close()
        self._last_words = self._pods.printed(self.name, LAST_BYTES)
        self._remove()

    def _remove(self) -> None:
        self._is_removed = True
        try:
            self._pods.delete(self.name)
        except PodsRefused as err:
            self._surroundings.removals.add(self.name)
            log.warning("sandbox_not_removed", pod=self.name, reason=str(err))

    def printed(self) -> str:
        """Return the last of its log, also when it has ended."""
        words = self._last_words
        return self._pods.printed(self.name, LAST_BYTES) if words is None else words

    def _begun(self, pod: Seen) -> str | None:
        """Bring the archive to a pod that listens; None also while it does not yet."""
        place = (str(pod.address), LIFELINE_PORT)
        try:
            lifeline = connect(place, CONNECT_SECONDS)
        except OSError as err:
            self._waits = f"its first program does not listen yet: {printable(err)}"
            return None
        self._waits = "its pod tries whether the network is shut"
        try:
            lifeline.settimeout(ANSWER_SECONDS)
            lifeline.sendall(f"{self._key}\n".encode())
            reached = _line(lifeline)["reached"]
            if reached:
                raise self._opened(f"{OPEN_NETWORK} ({printable(', '.join(map(str, reached)))})")
            self._waits = "its archive is on its way into its pod"
            self._bring(lifeline)
        except Obstacle:
            lifeline.close()
            raise
        except (OSError, ValueError, KeyError, TypeError) as err:
            lifeline.close()
            return f"its first program does not take the archive: {printable(err)}"
        lifeline.settimeout(CONNECT_SECONDS)
        self._waits = ""
        self._lifeline = lifeline
        if self._is_over:
            return "it was to end"
        self.address = pod.address
        return None

    def _bring(self, lifeline: socket.socket) -> None:
        if self._archive is None:
            return
        with self._archive.open("rb") as source:
            lifeline.sendall(f"{self._archive.stat().st_size}\n".encode())
            lifeline.sendfile(source)

    def _asked(self, lifeline: socket.socket) -> str | None:
        try:
            lifeline.sendall(b"?\n")
            answer = _line(lifeline)
            self._peak = int(answer["peak_bytes"]) or None
            if int(answer["kills"]):
                return "it ran out of memory"
            return (
                "it started too many processes"
                if int(answer["tasks"]) > self._surroundings.most_tasks
                else None
            )
        except (OSError, ValueError, KeyError, TypeError) as err:
            wrong = f"its first program does not answer: {printable(err)}"
        return self._how_it_ended() or wrong

    def _how_it_ended(self) -> str | None:
        """Ask the cluster, which may know a moment later than its lifeline."""
        for _ in range(5):
            if self._is_over:
                return "it was to end"
            try:
                pod = self._pods.see(self.name)
            except PodsRefused:
                pod = Seen()
            if pod is None:
                raise Obstacle(REMOVED)
            if pod.ended is not None:
                return self._ended(pod)
            time.sleep(1)
        return None

    def _opened(self, how: str) -> Obstacle:
        self._surroundings.note_open(how)
        return Obstacle(how)

    def _ended(self, pod: Seen) -> str | None:
        """Return how it ended. Raises Obstacle where the cluster ended it, not the archive."""
        if pod.status == OPEN:
            raise self._opened(OPEN_NETWORK)
        if pod.was_taken_away:
            raise Obstacle(f"its pod was taken away: {pod.ended}")
        return pod.ended


def _line(lifeline: socket.socket) -> dict[str, Any]:
    """Return the object that is answered on a line. Raises OSError, ValueError."""
    line = b""
    while not line.endswith(b"\n"):
        data = lifeline.recv(4_096)
        line += data
        if not data or len(line) > LONGEST_ANSWER:
            raise ConnectionError("it ended the connection" if not data else "its answer is too long")
    answer = json.loads(line)
    if not isinstance(answer, dict):
        raise ValueError("its answer is no object")
    return answer
