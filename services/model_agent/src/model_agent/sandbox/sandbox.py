"""One sandbox: a thread that starts it, watches it, and restarts it after it has ended.

A sandbox that exceeds a limit is ended as a whole. If one of its processes was killed, or could not be started, the
rest would answer at best by chance. The thread that starts bubblewrap must live as long as the sandbox: the kernel ends
a program "with its parent" when its parent's thread ends.
"""

import threading
import time
from typing import Any
from urllib.parse import quote, urlencode

from dynabench_archives.model_servers import READY, Archive, Registration, Worker
from dynabench_common.telemetry.logging import get_logger

from model_agent.errors import ModelServerAway, ModelServerRefused
from model_agent.sandbox.backend import MANAGEMENT, Obstacle, Run, SandboxBackend
from model_agent.sandbox.client import ask, printable
from model_agent.sandbox.control_groups import NoControlGroups
from model_agent.sandbox.mounts import ARCHIVE

log = get_logger(__name__)
ENDED = "ENDED"
STARTING_LOOK_SECONDS, LOOK_SECONDS = 0.2, 1.0
QUESTION_SECONDS = 5.0
QUESTION_BYTES = 65_536
SPARE_SECONDS = 2
"""Time that TorchServe waits for a worker longer than callers do.

So callers learn that no answer came in time. TorchServe would only report that a worker died.
"""
FIRST_PAUSE_SECONDS, LONGEST_PAUSE_SECONDS = 1.0, 60.0
# Numbers of processes count anew in each sandbox; outside they must differ.
FIRST_INSIDE = 1 << 22


class Sandbox:
    """An archive's own TorchServe, kept running until `end`; `position` is its place among those that run at once."""

    def __init__(
        self, registration: Registration, archive: Archive, backend: SandboxBackend, name: str, position: int
    ) -> None:
        self.position = position
        self._registration = registration
        self._archive = archive
        self._backend = backend
        self._limits = backend.limits
        self._name = name
        self._stop = threading.Event()
        self._current: Run | None = None
        self._obstacle = ""
        self._ended = ""
        self._workers: tuple[Worker, ...] = ()
        self._thread = threading.Thread(target=self._run, name=f"sandbox-{name}", daemon=True)
        self._thread.start()

    @property
    def workers(self) -> tuple[Worker, ...]:
        """Return the workers as they were last seen."""
        return self._workers

    @property
    def waits_for(self) -> str:
        """Return what of the platform keeps it from running, or its start waits for; empty if nothing does."""
        current = self._current
        return self._obstacle or ("" if current is None else current.hint())

    @property
    def last_end(self) -> str:
        """Return the limit that its last run went over, or how it ended by itself; empty where neither happened."""
        return self._ended

    def end(self) -> None:
        """End it, all processes and files of it, and return when it is gone, if the backend waits for that."""
        self._stop.set()
        current = self._current
        if current is not None:
            current.end()  # so that no question to it is waited for
        self._thread.join(self._backend.end_seconds)

    def _run(self) -> None:
        pause = 0.0
        while not self._stop.wait(pause):
            began = time.monotonic()
            try:
                reason, self._obstacle = self._live(), ""
            except Obstacle as err:
                reason = self._obstacle = printable(err)
            except (OSError, NoControlGroups, ModelServerRefused) as err:
                reason = printable(err)
            if self._stop.is_set():
                break
            lasted = time.monotonic() - began
            pause = (
                FIRST_PAUSE_SECONDS
                if lasted > LONGEST_PAUSE_SECONDS
                else min(max(2 * pause, FIRST_PAUSE_SECONDS), LONGEST_PAUSE_SECONDS)
            )
            log.warning(
                "sandbox_ended", serving_name=self._registration.serving_name, reason=reason, again_in=pause
            )
        self._workers = ()

    def _live(self) -> str:
        """Start it and watch it; return why it ended. Raises Obstacle."""
        current = self._current = self._backend.start(self._name, self._archive, self.position)
        ended: tuple[Worker, ...] = (Worker(current.number * FIRST_INSIDE, ENDED),)
        try:
            return self._watch(current)
        except Obstacle:
            ended = ()  # nothing that the archive did
            raise
        finally:
            current.end()
            self._workers = ended

    def _watch(self, current: Run) -> str:
        began = answered = time.monotonic()
        is_registered = was_ready = False
        while not self._stop.wait(LOOK_SECONDS if was_ready else STARTING_LOOK_SECONDS):
            if reason := current.look():
                self._ended = reason
                return reason
            if self._backend.place(self._name, MANAGEMENT) is not None:
                self._obstacle = ""
            now = time.monotonic()
            try:
                if not is_registered:
                    self._register(began + self._limits.start_seconds - now)
                    is_registered = True
                self._workers = self._seen(current)
                answered = now
            except ModelServerAway:
                pass
            except ModelServerRefused as err:
                if err.status is not None:
                    return f"its TorchServe does not take the archive: {err}"
            if any(worker.status == READY for worker in self._workers):
                was_ready = True
            elif not was_ready and now - began > self._limits.start_seconds:
                waited = f"no worker was ready within {self._limits.start_seconds:g} s"
                if hint := current.hint():
                    raise Obstacle(f"{waited}: {hint}")
                return waited
            if was_ready and now - answered > self._limits.silent_seconds:
                return f"its TorchServe did not answer for {self._limits.silent_seconds:g} s"
        return "it was to end"

    def _register(self, seconds: float) -> None:
        registration = self._registration
        options = {
            "url": ARCHIVE,
            "model_name": registration.serving_name,
            "batch_size": registration.batch_size,
            "max_batch_delay": registration.max_batch_delay_milliseconds,
            "response_timeout": registration.response_timeout_seconds + SPARE_SECONDS,
            "initial_workers": 1,
            "synchronous": "false",
        }
        self._ask("POST", f"/models?{urlencode(options)}", max(seconds, QUESTION_SECONDS))

    def _seen(self, current: Run) -> tuple[Worker, ...]:
        """Return the workers that its TorchServe reports: at most one, since the platform requests no more.

        Memory is that of the largest process in the sandbox, as which one the worker is only the archive could tell.
        """
        described = self._ask(
            "GET", f"/models/{quote(self._registration.serving_name, safe='')}", QUESTION_SECONDS
        )
        try:
            worker = described[0]["workers"][0]
            inside, status = int(worker["pid"]), printable(worker["status"])
        except IndexError:
            return ()
        except (KeyError, TypeError, ValueError) as err:
            raise ModelServerRefused("what its TorchServe tells of its worker can't be read") from err
        pid = current.number * FIRST_INSIDE + inside if 0 < inside < FIRST_INSIDE else -1
        return (Worker(pid, status, current.peak_bytes()),)

    def _ask(self, method: str, path: str, seconds: float) -> Any:
        place = self._backend.place(self._name, MANAGEMENT)
        if place is None:
            raise ModelServerAway("it has no address yet")
        return ask(place, method, path, None, seconds, QUESTION_BYTES)
