"""Isolation in a cluster: a pod for each archive, without outgoing connections; see `0002-one-pod-per-archive.md`.

A pod is made from a template of the operator's. Its first program (`init.py`) tests that the network is blocked, and
then takes the archive from this process. It ends as soon as this process does.
"""

import base64
import copy
import itertools
import json
import secrets
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

from dynabench_archives.model_servers import Archive
from dynabench_common.telemetry.logging import get_logger

from model_agent.errors import ArchiveOnItsWay, ModelServerRefused
from model_agent.sandbox.backend import INFERENCE, MANAGEMENT
from model_agent.sandbox.client import Place, printable
from model_agent.sandbox.cluster import Pods, PodsRefused
from model_agent.sandbox.enclosure import TEMPORARY
from model_agent.sandbox.limits import SandboxLimits
from model_agent.sandbox.mounts import (
    ARCHIVE,
    FIRST_PROGRAM,
    SOCKETS,
    Inside,
    environment,
    instructions,
    torchserve_command,
    torchserve_files,
)
from model_agent.sandbox.output import said_in
from model_agent.sandbox.pod_run import LIFELINE_PORT, PodRun, Surroundings
from model_agent.sandbox.system_calls import filter_program

log = get_logger(__name__)
PYTHON, JAVA = Path("/opt/serving/bin/python"), "/opt/serving/java"
OURS = (Path("/opt/serving"),)
IN_POD = Inside(f"{TEMPORARY}/store", f"{TEMPORARY}/settings", JAVA)
PORTS = {INFERENCE: 8085, MANAGEMENT: 8086}
SHUT_SECONDS, AGAIN_SECONDS = 30.0, 60.0
PATIENCE_SECONDS = 2.0
"""Longest wait of the reconciler for the answer about a problem, since it has other models to serve."""
TRIAL = "trial"
SPARE_TASKS = 16
"""Margin below the limit of tasks at which a sandbox counts as having hit it: the kernel does not report refusals."""


class PodBackend:
    """Sandboxes as pods. `forbidden` are addresses that no sandbox may reach, tried before its archive comes."""

    end_seconds: float | None = 0.0  # the cluster's to bring about, and not worth to be waited for

    def __init__(
        self,
        pods: Pods,
        template: Mapping[str, Any],
        store: Path,
        forbidden: Sequence[tuple[str, int]],
        limits: SandboxLimits,
    ) -> None:
        """Begin to end what an earlier process left, and to test the isolation."""
        self.limits = limits
        self._pods = pods
        self._template = template
        self._store = store
        self._forbidden = [list(each) for each in forbidden]
        self._runs: dict[str, PodRun] = {}
        self._said: dict[str, tuple[str, ...]] = {}
        self._numbers = itertools.count(1)
        most_tasks = limits.processes - SPARE_TASKS
        self._surroundings = Surroundings(pods, most_tasks, set(), self._note_open)
        self._stores = threading.Lock()
        self._trying = threading.Lock()
        self._is_cleared = False
        self._problem: str | None = "not tried yet"
        self._tried_at: float | None = None
        self._trial: threading.Thread | None = None
        with suppress(ArchiveOnItsWay):
            self.problem(0.0)

    def problem(self, patience: float = PATIENCE_SECONDS) -> str | None:
        """Return why archives with code can't be isolated here, from a pod without one. A failure is tried again.

        Waits a little for a trial that is under way. Raises ArchiveOnItsWay where it takes longer.
        """
        with self._trying:
            is_stale = self._tried_at is None or time.monotonic() - self._tried_at > AGAIN_SECONDS
            if self._problem is not None and is_stale and (self._trial is None or not self._trial.is_alive()):
                self._trial = threading.Thread(target=self._note_trial, name="sandbox-trial", daemon=True)
                self._trial.start()
            trial = self._trial
        if trial is not None:
            trial.join(patience)
            if trial.is_alive():
                raise ArchiveOnItsWay("whether sandboxes are shut in here is being tried")
        return self._problem

    def _note_trial(self) -> None:
        try:
            self._problem = self._try()
        except (OSError, ValueError) as err:
            self._problem = printable(err)
        self._tried_at = time.monotonic()
        log.info("sandboxes_tried", problem=self._problem)

    def _note_open(self, how: str) -> None:
        """Refuse archives from now on, until a trial shows that the network is shut again."""
        self._problem, self._tried_at = how, time.monotonic()

    def check(self, archive: Archive) -> None:
        """Raise ModelServerRefused for an archive that can't be read here, or does not fit into a pod."""
        try:
            size = (self._store / archive.file).stat().st_size
        except OSError as err:
            raise ModelServerRefused(f"{archive.file} can't be read: {err.strerror}") from err
        if size > self.limits.disk_bytes:
            raise ModelServerRefused(
                f"{archive.file} has {size:,} bytes; archive and what it holds must fit into {self.limits.disk_bytes:,}"
            )

    def place(self, name: str, endpoint: str) -> Place | None:
        """Return the address of a pod that has its archive."""
        run = self._runs.get(name)
        return None if run is None or run.address is None else (run.address, PORTS[endpoint])

    def start(self, name: str, archive: Archive, position: int) -> PodRun:
        """Have a pod made. Raises PodsRefused."""
        self._remove_again()
        if name in self._runs:
            self._keep_words(name)
        run = self._made(name, position, self._store / archive.file)
        with self._stores:  # a slow cluster may have made another meanwhile, which was asked for later
            known = self._runs.get(name)
            if known is None or known.number < run.number:
                self._runs[name] = run
        return run

    def _remove_again(self) -> None:
        removals = self._surroundings.removals
        for pod in list(removals):
            with suppress(PodsRefused):
                self._pods.delete(pod)
                removals.discard(pod)

    def last_lines(self, name: str) -> Sequence[str]:
        """Return the last lines that the program printed, in this run and the one before."""
        return _last_words(self._runs.get(name), self._said.get(name, ()))

    def forget(self, name: str) -> Callable[[], Sequence[str]]:
        """Forget a sandbox; return what tells the last lines of its program, which may still be on their way."""
        run, before = self._runs.pop(name, None), self._said.pop(name, ())
        return partial(_last_words, run, before)

    def close(self) -> None:
        """Do nothing: pods end with this process."""

    def _keep_words(self, name: str) -> None:
        words = said_in(self._runs[name].printed(), OURS)
        if words:
            self._said[name] = words

    def _made(self, name: str, position: int, archive: Path | None) -> PodRun:
        key = secrets.token_hex(16)
        manifest = copy.deepcopy(dict(self._template))
        manifest["metadata"]["name"] = f"{manifest['metadata']['name']}-{name}-{secrets.token_hex(3)}"
        [container] = manifest["spec"]["containers"]
        container["command"] = [str(PYTHON), "-I", "-c", FIRST_PROGRAM.read_text(encoding="utf-8")]
        container["args"] = [json.dumps(self._instructions(key))]
        manifest["spec"]["securityContext"]["runAsUser"] += position
        return PodRun(self._surroundings, manifest, key, archive, next(self._numbers))

    def _instructions(self, key: str) -> dict[str, Any]:
        """Return the instructions for the first program."""
        endpoints = [{"port": PORTS[name], "socket": SOCKETS[name]} for name in (INFERENCE, MANAGEMENT)]
        whole = instructions(self.limits, torchserve_command(PYTHON, IN_POD), endpoints)
        files = torchserve_files(self.limits, IN_POD)
        return {
            **whole,
            "folders": [*whole["folders"], IN_POD.store, IN_POD.settings],
            "bounds": {**whole["bounds"], "RLIMIT_NPROC": self.limits.processes},
            "environment": environment(PYTHON, IN_POD),
            "pod": {
                "port": LIFELINE_PORT,
                "key": key,
                "forbidden": self._forbidden,
                "shut_seconds": SHUT_SECONDS,
                "archive": f"{IN_POD.store}/{ARCHIVE}",
                "files": {f"{IN_POD.settings}/{name}": text for name, text in files.items()},
                "filter": base64.b64encode(filter_program() or b"").decode(),
            },
        }

    def _try(self) -> str | None:
        """Make a pod without an archive, and see whether it comes and reaches nothing."""
        if filter_program() is None:
            return "system calls can't be filtered on this processor; only x86-64 and 64-bit ARM are known"
        self._clear()
        run = self._made(TRIAL, self.limits.most_at_once, None)
        try:
            until = time.monotonic() + self.limits.start_seconds
            while time.monotonic() < until:
                if reason := run.look():
                    return reason
                if run.address is not None:
                    return None
                time.sleep(0.5)
            return f"a pod did not begin within {self.limits.start_seconds:g} s: {run.hint() or 'nobody says why'}"
        finally:
            run.end()

    def _clear(self) -> None:
        """Once, end the pods of an earlier process, which end by themselves where they noticed."""
        if self._is_cleared:
            return
        labels = self._template["metadata"]["labels"]
        left = self._pods.names(labels)
        for name in left:
            self._pods.delete(name)
        self._is_cleared = True
        if left:
            log.warning("sandboxes_left_over", number=len(left))


def _last_words(run: PodRun | None, before: Sequence[str]) -> Sequence[str]:
    return (run and said_in(run.printed(), OURS)) or before
