"""A steady load through the edge: pages, answers of the interface and tries, with every request that failed."""

import itertools
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial

from dynabench_client import Dynabench, ProblemError, UnreachableError
from dynabench_client.retries import NO_RETRIES

from tests.played_try import ADMIN

PAUSE_SECONDS = 0.2
REQUEST_SECONDS = 60
Job = Callable[[], object]
PAGES = ("/", "/tasks/sentiment", "/sign-in")


@dataclass
class Count:
    """Number of sent requests, and the answers to failed ones."""

    sent: int = 0
    failed: list[str] = field(default_factory=list)


class Load:
    """Readers and one writer, each with one request at a time and no repetition of its own."""

    def __init__(self, edge: str, password: str, round_id: str) -> None:
        self._edge = edge
        self._round = round_id
        self._password = password
        self._lock = threading.Lock()
        self._count = Count()
        self._stop = threading.Event()

    def count(self) -> Count:
        """Return what was counted since the last call."""
        with self._lock:
            counted, self._count = self._count, Count()
        return counted

    @contextmanager
    def running(self) -> Iterator["Load"]:
        """Send while the block runs."""
        api = self._client()
        reads: list[Job] = [partial(self._read, page) for page in PAGES]
        asks: list[Job] = [
            lambda: api.leaderboard.round(self._round),
            lambda: api.validation.counts(self._round),
            lambda: api.annotation.rounds("sentiment"),
            lambda: api.gateway.model("sentiment-cnn"),
            api.accounts.me,
        ]
        jobs = [reads, asks, [self._try(self._client())]]
        threads = [threading.Thread(target=self._repeat, args=(job,), daemon=True) for job in jobs]
        for thread in threads:
            thread.start()
        try:
            yield self
        finally:
            self._stop.set()
            for thread in threads:
                thread.join(REQUEST_SECONDS)

    def _client(self) -> Dynabench:
        return Dynabench(self._edge, user_name=ADMIN, password=self._password, retries=NO_RETRIES)

    def _read(self, page: str) -> None:
        with urllib.request.urlopen(f"{self._edge}{page}", timeout=REQUEST_SECONDS) as answer:
            answer.read()

    def _try(self, writer: Dynabench) -> Job:
        context = writer.annotation.assign(self._round).context.context_id
        numbers = itertools.count()

        def submit() -> object:
            text = f"Number {next(numbers)} of {time.time():.3f} never came, which I found delightful."
            return writer.annotation.create_example(self._round, context, {"text": text, "label": "negative"})

        return submit

    def _repeat(self, jobs: list[Job]) -> None:
        for job in itertools.cycle(jobs):
            if self._stop.wait(PAUSE_SECONDS):
                return
            failed = _failure(job)
            with self._lock:
                self._count.sent += 1
                if failed:
                    self._count.failed.append(failed)


def _failure(job: Job) -> str:
    """Send a request; return the reason of its failure, or an empty text.

    Refusals of the client's own making are no failures of the server.
    """
    try:
        job()
    except ProblemError as err:
        return str(err) if err.status >= 500 else ""
    except (UnreachableError, urllib.error.HTTPError, OSError) as err:
        return f"{type(err).__name__}: {err}"
    return ""
