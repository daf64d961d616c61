"""Sandboxes as a model server: the reconciler controls them as it controls TorchServe.

The number of running sandboxes is limited. Further registrations wait, in the order of their requests, until another
sandbox ends. The reconciler decides which one runs next, since it knows which are in use.
"""

import hashlib
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Protocol
from urllib.parse import quote

from dynabench_archives.model_servers import SANDBOX_ENDED, Archive, Registration, Served, Worker
from dynabench_common.telemetry.logging import get_logger

from model_agent.errors import ModelServerAway, ModelServerRefused
from model_agent.sandbox.backend import INFERENCE, SandboxBackend
from model_agent.sandbox.client import ask, printable
from model_agent.sandbox.sandbox import Sandbox

log = get_logger(__name__)
PROBE_SECONDS = 10.0
MOST_LAST_WORDS = 100


class Running(Protocol):
    """A sandbox that runs; `position` is its place among those that run at once."""

    position: int

    @property
    def workers(self) -> tuple[Worker, ...]:
        """Return the workers as they were last seen."""

    @property
    def waits_for(self) -> str:
        """Return what of the platform keeps it from running; empty if nothing does."""

    @property
    def last_end(self) -> str:
        """Return the limit that its last run went over, or how it ended by itself; empty where neither happened."""

    def end(self) -> None:
        """End it, and return when it is gone."""


@dataclass
class RegisteredModel:
    """A registration and its sandbox, if it has one. Times are monotonic seconds."""

    registration: Registration
    archive: Archive
    workers: int
    asked_at: float
    sandbox: Running | None = None

    @property
    def waits(self) -> bool:
        """Return whether it should run and does not."""
        return self.workers > 0 and self.sandbox is None

    def ends(self) -> Sequence[str]:
        """Return a line with the reason for its sandbox's end, none while the sandbox runs."""
        ended = self.sandbox.last_end if self.sandbox is not None else ""
        return (f"{SANDBOX_ENDED}{ended}",) if ended else ()


class Sandboxes:
    """A model server whose every model is alone."""

    def __init__(
        self,
        backend: SandboxBackend,
        monotonic: Callable[[], float] = time.monotonic,
        new_sandbox: Callable[[Registration, Archive, SandboxBackend, str, int], Running] = Sandbox,
    ) -> None:
        """Isolate archives with a backend."""
        self._backend = backend
        self._limits = backend.limits
        self._monotonic = monotonic
        self._new_sandbox = new_sandbox
        self._models: dict[str, RegisteredModel] = {}
        self._last_words: OrderedDict[str, Callable[[], Sequence[str]]] = OrderedDict()
        self._changes = threading.RLock()

    def can_isolate(self) -> str | None:
        """Return why archives with code can't be isolated here; None where they can."""
        return self._backend.problem()

    def served(self) -> Mapping[str, Served]:
        """Return everything that is registered, by name; what waits for its turn has no workers yet."""
        with self._changes:
            self._fill()
            return {
                name: replace(_served(model), address=self.address(name))
                for name, model in self._models.items()
            }

    def register(self, registration: Registration) -> None:
        """Begin to serve in the background. Raises ModelServerRefused, with the reason."""
        archive = self._usable(registration)
        with self._changes:
            self._end(registration.serving_name)
            self._models[registration.serving_name] = RegisteredModel(
                registration, archive, registration.workers, self._monotonic()
            )
            self._fill()

    def unregister(self, serving_name: str) -> None:
        """Stop serving. Raises ModelServerRefused for a name that is not registered."""
        with self._changes:
            ends = self._find(serving_name).ends()
            self._end(serving_name)
            del self._models[serving_name]
            words = self._backend.forget(_short(serving_name))
            self._keep_words(serving_name, lambda: (*words(), *ends))
            self._fill()

    def scale(self, serving_name: str, workers: int) -> None:
        """End the sandbox with 0; let it run, always with one worker, with any other number."""
        with self._changes:
            model = self._find(serving_name)
            if workers == 0:
                self._end(serving_name)
            elif model.workers == 0:
                model.asked_at = self._monotonic()
            model.workers = workers
            self._fill()

    def probe(self, registration: Registration) -> tuple[str, str]:
        """Return the digests of the archive that gave a real answer; digests in the answer itself are not trusted.

        Raises ModelServerRefused for an unusable answer.
        """
        name = registration.serving_name
        with self._changes:
            archive = self._find(name).archive
        body = {"instances": [registration.sample_instance()]}
        path = f"/predictions/{quote(name, safe='')}"
        place = self._backend.place(_short(name), INFERENCE)
        if place is None:
            raise ModelServerRefused("its sandbox has no address yet")
        try:
            answer = ask(place, "POST", path, body, PROBE_SECONDS, self._limits.answer_bytes)
        except ModelServerAway as err:
            raise ModelServerRefused(f"its sandbox does not answer: {err}") from err
        try:
            entry = answer["predictions"][0]
            error = entry.get("error")
        except (KeyError, IndexError, TypeError, AttributeError) as err:
            raise ModelServerRefused("the answer holds no prediction as the contract says") from err
        if error is not None:
            raise ModelServerRefused(f"the answer is an error: {printable(error)}")
        return archive.digests

    def address(self, serving_name: str) -> str | None:
        """Return where the gateway reaches a registered model: `unix:/path` or `http://IP:PORT`.

        None for any other, and for a pod that has no address yet.
        """
        with self._changes:
            if serving_name not in self._models:
                return None
        place = self._backend.place(_short(serving_name), INFERENCE)
        if place is None:
            return None
        if isinstance(place, Path):
            return f"unix:{place}"
        host, port = place
        return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"

    def last_lines(self, serving_name: str) -> Sequence[str]:
        """Return the last lines that a program printed, and why it ended, also of one that is no longer registered."""
        with self._changes:
            model, last_words = self._models.get(serving_name), self._last_words.get(serving_name)
        if model is not None:
            return (*self._backend.last_lines(_short(serving_name)), *model.ends())
        return last_words() if last_words is not None else ()

    def forget_said(self, serving_name: str) -> None:
        """Forget what a program printed that is no longer registered."""
        with self._changes:
            self._last_words.pop(serving_name, None)

    def _keep_words(self, serving_name: str, words: Callable[[], Sequence[str]]) -> None:
        self._last_words.pop(serving_name, None)
        self._last_words[serving_name] = words
        while len(self._last_words) > MOST_LAST_WORDS:
            self._last_words.popitem(last=False)

    def close(self) -> None:
        """End every sandbox, and leave their place to another process."""
        with self._changes:
            for name in self._models:
                self._end(name)
            self._models.clear()
            self._backend.close()

    def _usable(self, registration: Registration) -> Archive:
        problem = self.can_isolate()
        if problem is not None:
            raise ModelServerRefused(f"archives with code can't be isolated here: {problem}")
        archive = registration.archive
        if archive is None:
            raise ModelServerRefused("there is no archive")
        if registration.explains:
            raise ModelServerRefused("archives with code are served for predictions only")
        self._backend.check(archive)
        return archive

    def _fill(self) -> None:
        """Start waiting sandboxes in the order of their requests, up to the limit."""
        for name, model in sorted(self._models.items(), key=lambda item: item[1].asked_at):
            if not model.waits:
                continue
            position = self._free_position()
            if position is None:
                return
            log.info("sandbox_started", serving_name=name, archive=model.archive.file)
            model.sandbox = self._new_sandbox(
                model.registration, model.archive, self._backend, _short(name), position
            )

    def _free_position(self) -> int | None:
        """Return the lowest position that no sandbox has; None while as many run as may."""
        taken = {model.sandbox.position for model in self._models.values() if model.sandbox is not None}
        return min(set(range(self._limits.most_at_once)) - taken, default=None)

    def _end(self, serving_name: str) -> None:
        model = self._models.get(serving_name)
        if model is not None and model.sandbox is not None:
            model.sandbox.end()
            model.sandbox = None

    def _find(self, serving_name: str) -> RegisteredModel:
        try:
            return self._models[serving_name]
        except KeyError:
            raise ModelServerRefused(f"{serving_name} is not registered", 404) from None


def _short(serving_name: str) -> str:
    """Return the name of a sandbox, which folders and pods can carry."""
    return hashlib.sha256(serving_name.encode()).hexdigest()[:12]


def _served(model: RegisteredModel) -> Served:
    registration = model.registration
    return Served(
        serving_name=registration.serving_name,
        file=model.archive.file,
        batch_size=registration.batch_size,
        max_batch_delay_milliseconds=registration.max_batch_delay_milliseconds,
        response_timeout_seconds=registration.response_timeout_seconds,
        min_workers=model.workers,
        workers=model.sandbox.workers if model.sandbox is not None else (),
        waits_for=model.sandbox.waits_for if model.sandbox is not None else "",
    )
