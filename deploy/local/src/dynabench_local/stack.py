"""Start, watch and stop the stack."""

import contextlib
import json
import os
import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import FIRST_EXCEPTION, Future, ThreadPoolExecutor, wait
from importlib.metadata import version
from pathlib import Path
from typing import Any

import psutil
import urllib3

from dynabench_local import (
    balancer,
    edge,
    kafka,
    launch,
    metrics,
    postgres,
    preflight,
    seaweedfs,
    secret_store,
    services,
    topics,
    torchserve,
)
from dynabench_local.layout import Layout
from dynabench_local.part import Part
from dynabench_local.supervision import Supervisor, SupervisorAway

INFRASTRUCTURE = ("postgres", "kafka", "seaweedfs")
FAILED_STARTS = 3
QUIET_SECONDS = 8.0
"""Longest silence on the terminal while the platform starts."""
LOW_BYTES = 500 * 2**20
RELEASE_FILE = "release"
"""The file with the release that made a data folder."""
FIRST_RELEASE = "0.1.0"
OLDER_DATA = (
    "{home} holds data of a version before {release}, which {release} can't upgrade. Nothing was changed. "
    "To keep its rounds, start that version and export them (dynabench export). "
    "Then make reset CONFIRM=yes deletes the data; or let DYNABENCH_HOME name a new folder."
)
Say = Callable[[str], None]


def silent(_line: str) -> None:
    """Log nothing."""


class StackError(Exception):
    """The stack can't continue; the message names the part, the reason, and the remedy."""


class Stack:
    """All parts of one data folder."""

    def __init__(self, layout: Layout, say: Say = silent) -> None:
        self.layout = layout
        self._reported_at = time.monotonic()
        self._say = self._noting(say)
        is_ours = (layout.home / secret_store.FILE).exists()
        if is_ours and not (layout.home / RELEASE_FILE).exists():
            raise StackError(OLDER_DATA.format(home=layout.home, release=FIRST_RELEASE))
        try:
            if (
                not is_ours
                and layout.home.is_dir()
                and any(path.name not in {"owner", RELEASE_FILE} for path in layout.home.iterdir())
            ):
                raise StackError(
                    f"{layout.home} holds other things: let DYNABENCH_HOME name an empty or a new folder."
                )
            layout.home.mkdir(parents=True, exist_ok=True)
            if not is_ours:
                (layout.home / RELEASE_FILE).write_text(f"{version('dynabench-local')}\n")
        except OSError as err:
            raise StackError(
                f"{layout.home} can't be made ({err.strerror}): set DYNABENCH_HOME elsewhere."
            ) from err
        layout.home.chmod(0o711 if os.getuid() == 0 else 0o700)
        self.secrets = secret_store.load(layout.home)
        self.supervisor = Supervisor(layout)
        self.parts = {part.name: part for part in self._all_parts()}
        self._failed = threading.Event()

    def _noting(self, say: Say) -> Say:
        def noted(line: str) -> None:
            self._reported_at = time.monotonic()
            say(line)

        return noted

    def _all_parts(self) -> Iterable[Part]:
        if not os.environ.get("DATABASE_URL"):
            yield postgres.part(self.layout, self.secrets)
        if not os.environ.get("KAFKA_BOOTSTRAP_SERVERS"):
            yield kafka.part(self.layout, self.secrets)
        if not os.environ.get("S3_ENDPOINT_URL"):
            yield seaweedfs.part(self.layout, self.secrets)
        yield torchserve.part(self.layout)
        yield from services.parts(self.layout, self.secrets)
        if self.layout.replicas > 1:
            yield balancer.part(self.layout)
        yield edge.part(self.layout, ())

    def environment(self, service: str) -> dict[str, str]:
        """Return the settings of a service in this stack, or of the agent."""
        if service == services.AGENT:
            return services.agent_environment(self.layout, self.secrets)
        return services.environment(self.layout, self.secrets, service)

    def up(self, only: Iterable[str] | None = None) -> None:
        """Start stopped parts and wait until all are ready. Raises StackError."""
        chosen = [self.parts[name] for name in (only or self.parts)]
        if not self.supervisor.is_running():
            self._begin(whole=only is None)
        elif self.supervisor.states().keys() != self.parts.keys():
            raise StackError(
                "It runs with other parts than asked for (REPLICAS, or stores of your own): make down."
            )
        self._prepare_foreign_parts(chosen)
        ready = {part.name: threading.Event() for part in chosen}
        self._failed.clear()
        with ThreadPoolExecutor(len(chosen)) as pool:
            futures = [pool.submit(self._bring_up, part, ready) for part in chosen]
            try:
                while (done := wait(futures, QUIET_SECONDS, FIRST_EXCEPTION))[1] and not _failed(done[0]):
                    self._report_progress(ready)
            except KeyboardInterrupt:
                self._failed.set()
                raise
            if _failed(done[0]):
                self._failed.set()
        errors = [
            error for future in futures if (error := future.exception()) and not isinstance(error, _Aborted)
        ]
        if errors:
            raise errors[0]

    def _report_progress(self, ready: Mapping[str, threading.Event]) -> None:
        """Name the parts that are prepared or awaited, unless there was a message a moment ago."""
        if time.monotonic() - self._reported_at < QUIET_SECONDS:
            return
        names = [
            name
            for name, event in ready.items()
            if not event.is_set()
            and all(ready[each].is_set() for each in self.parts[name].after if each in ready)
        ]
        self._say(f"still preparing {', '.join(names)}")

    def _begin(self, *, whole: bool) -> None:
        left = launch.end_left_over(f"{self.layout.home}|", self.layout.home)
        if left:
            self._say(f"ended {left} processes that an earlier run had left behind")
        found = preflight.problems(self.layout, whole=whole)
        if found:
            raise StackError("\n".join(found))
        metrics.write_configuration(self.layout, self.secrets)
        self.supervisor.start(list(self.parts.values()))

    def _prepare_foreign_parts(self, chosen: list[Part]) -> None:
        """Make databases, topics and the bucket on servers that are not part of the stack. Raises StackError."""
        if all(part.name in INFRASTRUCTURE for part in chosen):
            return
        for name, (setting, prepare) in self._foreign_preparations().items():
            if name in self.parts:
                continue
            try:
                prepare()
            except Exception as err:
                raise StackError(
                    f"{setting} does not serve: {err}\n  remedy: correct it, or unset it."
                ) from err

    def _foreign_preparations(self) -> dict[str, tuple[str, Callable[[], None]]]:
        layout, secrets = self.layout, self.secrets
        return {
            "postgres": (
                "DATABASE_URL",
                lambda: postgres.ensure_databases(postgres.admin_url(layout, secrets), secrets),
            ),
            "kafka": (
                "KAFKA_BOOTSTRAP_SERVERS",
                lambda: topics.ensure_topics(kafka.admin_address(layout, secrets)),
            ),
            "seaweedfs": (
                "S3_ENDPOINT_URL",
                lambda: seaweedfs.write_and_read(layout, seaweedfs.credentials(secrets)),
            ),
        }

    def _bring_up(self, part: Part, ready: dict[str, threading.Event]) -> None:
        for name in part.after:
            while name in ready and not ready[name].wait(0.2):
                if self._failed.is_set():
                    raise _Aborted
        began = time.monotonic()
        try:
            if self.supervisor.states()[part.name]["statename"] != "RUNNING":
                part.prepare()
                _close(self.layout.home)
                self.supervisor.start_part(part.name)
            self._await(part, time.monotonic())
            part.on_ready()
        except (StackError, _Aborted):
            raise
        except Exception as err:
            raise StackError(f"{part.name}: {err}\n  remedy: {part.remedy}") from err
        ready[part.name].set()
        self._say(f"{part.name} ready after {time.monotonic() - began:.1f} s")

    def _await(self, part: Part, began: float) -> None:
        last_looked = last_reported = last_moved = began
        reasons: list[str] = []
        failed_starts: set[int] = set()
        while not part.is_ready():
            now = time.monotonic()
            if self._failed.is_set():
                raise _Aborted
            if now - last_moved > part.patience_seconds:
                waits_for = f" ({reasons[-1]})" if reasons else ""
                raise StackError(self._why(part, f"is not ready after {now - began:.0f} s{waits_for}"))
            if now - last_looked > 0.5:
                last_looked = now
                info = self.supervisor.states()[part.name]
                if info["statename"] in {"BACKOFF", "FATAL"}:
                    failed_starts.add(info["start"])
                if len(failed_starts) >= FAILED_STARTS:
                    raise StackError(self._why(part, f"ended at each of {FAILED_STARTS} starts"))
            if now - last_reported > 5:
                reason = part.waits_for()
                if reason and reason not in reasons:
                    reasons.append(reason)
                    last_moved = now
                self._say(f"waiting for {part.name}, {now - began:.0f} s so far{reason and f': {reason}'}")
                last_reported = now
            time.sleep(0.1)

    def _why(self, part: Part, what: str) -> str:
        log = self.layout.logs / f"{part.name}.log"
        tail = "\n".join(f"    {line}" for line in _tail(log, 12))
        return f"{part.name} {what}. The end of {log}:\n{tail}\n  remedy: {part.remedy}"

    def wait_for_targets(self, patience_seconds: float = 120) -> None:
        """Wait until every permanent model predicts, calling them as the gateway does. Raises StackError."""
        pool = urllib3.PoolManager(timeout=urllib3.Timeout(total=3), retries=False)
        url = self.layout.url("registry") + "/api/registry/v1/models"
        headers = {"Authorization": f"Bearer {self.secrets['service_token_gateway']}"}
        began = last_reported = time.monotonic()
        while True:
            try:
                models = json.loads(pool.request("GET", url, headers=headers).data)["models"]
                waiting = [
                    f"{model['name']} is {model['state']}"
                    + (f" ({reason})" if (reason := model.get("reason")) else "")
                    for model in models
                    if model["state"] != "ready" and model["start"] == "always"
                ]
            except (urllib3.exceptions.HTTPError, ValueError, KeyError):
                models, waiting = [], ["the registry does not know yet"]
            if models and not waiting:
                self._say(f"targets predict after {time.monotonic() - began:.1f} s")
                return
            now = time.monotonic()
            if now - began > patience_seconds:
                raise StackError(
                    f"targets do not predict: {', '.join(waiting)}. Read {self.layout.logs}/torchserve.log"
                )
            if now - last_reported > 5:
                self._say(f"waiting for targets: {', '.join(waiting)}, {now - began:.0f} s so far")
                last_reported = now
            time.sleep(0.2)

    def client_environment(self) -> dict[str, str]:
        """Return this process's environment with the stack's address in it."""
        return {
            **os.environ,
            "DYNABENCH_URL": self.layout.url("edge"),
            "DYNABENCH_HOME": str(self.layout.home),
            "PORT_BASE": str(self.layout.port_base),
        }

    def seed(self, *options: str) -> None:
        """Set up the demo's tasks, rounds and people; `options` are those of `scripts/seed.py`. Raises StackError."""
        script = self.layout.checkout / "scripts" / "seed.py"
        lines: list[str] = []
        with subprocess.Popen(
            [sys.executable, str(script), *options],
            env=self.client_environment(),
            stderr=subprocess.PIPE,
            text=True,
        ) as process:
            for line in process.stderr or ():
                lines.append(line)
                self._say(line.rstrip())
        if process.returncode != 0:
            raise StackError(f"the demo could not be set up: {''.join(lines).strip()[-1500:]}")

    def begin_demo_round(self) -> None:
        """Start making the demonstration round in the background; `down` ends it, and the next start resumes it."""
        with (self.layout.logs / "demo-round.log").open("a") as log:
            subprocess.Popen(
                [sys.executable, str(self.layout.checkout / "scripts" / "demo_round.py")],
                env={**self.client_environment(), launch.MARKER: f"{self.layout.home}|demo-round|"},
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )

    def down(self) -> bool:
        """Stop everything, the pages first and the data last; return whether any part ran."""
        was_running = self.supervisor.is_running()
        if was_running:
            try:
                self.stop_services()
                self._stop(INFRASTRUCTURE)
                self.supervisor.shutdown()
            except SupervisorAway:
                self._say("the supervisor went away while stopping")
        left = launch.end_left_over(f"{self.layout.home}|", self.layout.home)
        return left > 0 or was_running

    def stop_services(self) -> None:
        """Stop every part but the stores and the broker; torchserve last, since the others use it.

        Raises SupervisorAway if the supervisor does not run.
        """
        self._stop({*self.supervisor.states()} - {*INFRASTRUCTURE, "torchserve"})
        self._stop(["torchserve"])

    def _stop(self, names: Iterable[str]) -> None:
        states = self.supervisor.states()
        running = [name for name in names if name in states and states[name]["statename"] != "STOPPED"]
        with ThreadPoolExecutor(len(running) or 1) as pool:
            list(pool.map(self.supervisor.stop_part, running))

    def troubles(self) -> list[str]:
        """Return the problems of the whole stack, each as a sentence with its remedy."""
        found = []
        if not self.supervisor.is_running():
            left = launch.left_over(f"{self.layout.home}|", self.layout.home)
            if left:
                found.append(
                    f"The supervisor has ended, and {len(left)} processes of it run on: nothing starts them "
                    f"again. make up ends them and starts all parts anew; {self.layout.run}/supervisord.log says why."
                )
        free = shutil.disk_usage(self.layout.home).free
        if free < LOW_BYTES:
            found.append(
                f"{self.layout.home} has {free / 2**20:.0f} MiB free: parts end where they can't write. "
                "Free some; they start again by themselves."
            )
        return found

    def status(self) -> list[dict[str, Any]]:
        """Return a record per part: name, state, pid, seconds up, resident MiB of its process tree."""
        if not self.supervisor.is_running():
            return []
        return [
            {
                "part": name,
                "state": info["statename"].lower(),
                "pid": info["pid"] or None,
                "seconds": info["now"] - info["start"] if info["statename"] == "RUNNING" else None,
                "mebibytes": _resident(info["pid"]) if info["pid"] else None,
            }
            for name, info in self.supervisor.states().items()
        ]

    def destroy(self) -> None:
        """Kill everything and remove the data folder, without a graceful shutdown; for tests and benchmarks."""
        launch.end_left_over(f"{self.layout.home}|", self.layout.home)
        shutil.rmtree(self.layout.home, ignore_errors=True)


def _failed(done: Iterable[Future[None]]) -> bool:
    return any(future.exception() for future in done)


def _close(home: Path) -> None:
    """Remove other users' permissions on the data folder, for example after a `chmod -R`.

    The user of PostgreSQL, a different one under root, must be able to traverse the folder.
    """
    for path in (path for path in home.iterdir() if not path.is_symlink()):
        with contextlib.suppress(FileNotFoundError, PermissionError):
            path.chmod(0o711 if path.name == "postgres" else 0o700 if path.is_dir() else 0o600)


class _Aborted(Exception):
    """Another part failed first."""


def _resident(pid: int) -> float:
    try:
        process = psutil.Process(pid)
        family = [process, *process.children(recursive=True)]
        return round(sum(_memory(member) for member in family) / 2**20, 1)
    except psutil.Error:
        return 0.0


def _memory(process: psutil.Process) -> int:
    try:
        return int(process.memory_full_info().pss)
    except (psutil.Error, AttributeError):
        try:
            return int(process.memory_info().rss)
        except psutil.Error:
            return 0


def _tail(path: Path, lines: int) -> list[str]:
    try:
        return path.read_text(errors="replace").splitlines()[-lines:]
    except OSError:
        return ["(no log)"]
