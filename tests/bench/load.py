"""A closed-loop load: so many callers, each waiting for its answer before it asks again."""

import http.client
import json
import random
import statistics
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit


@dataclass
class Sample:
    """Latencies in milliseconds of the calls that succeeded, the failures, and the seconds it took."""

    milliseconds: list[float] = field(default_factory=list)
    failures: int = 0
    seconds: float = 0.0

    @property
    def p50(self) -> float:
        """Return the median latency in milliseconds."""
        return statistics.median(self.milliseconds) if self.milliseconds else float("inf")

    @property
    def p95(self) -> float:
        """Return the 95th percentile of the latency in milliseconds."""
        ordered = sorted(self.milliseconds)
        return ordered[int(0.95 * (len(ordered) - 1))] if ordered else float("inf")

    @property
    def per_second(self) -> float:
        """Return successful calls per second."""
        return len(self.milliseconds) / self.seconds if self.seconds else 0.0

    def add(self, other: "Sample") -> None:
        """Add another sample of the same kind."""
        self.milliseconds += other.milliseconds
        self.failures += other.failures
        self.seconds += other.seconds


class JsonPost:
    """One caller with one keep-alive connection to one address."""

    def __init__(self, url: str, token: str) -> None:
        self._parts = urlsplit(url)
        self._headers = {"Content-Type": "application/json", "Authorization": f"Bearer {token}"}
        self._connection = http.client.HTTPConnection(str(self._parts.hostname), self._parts.port, timeout=60)

    def __call__(self, body: Any) -> bool:
        """Post `body`; return whether the answer was a success."""
        return self._post(body) is not None

    def answer(self, body: Any, path: str | None = None) -> Any:
        """Post `body`, to another path if one is given; return the answer, None for a failure."""
        received = self._post(body, path)
        return None if received is None else json.loads(received)

    def _post(self, body: Any, path: str | None = None) -> bytes | None:
        try:
            self._connection.request(
                "POST", path or self._parts.path, json.dumps(body).encode(), self._headers
            )
            response = self._connection.getresponse()
            received = response.read()
        except (OSError, http.client.HTTPException):
            self._connection.close()
            return None
        return received if 200 <= response.status < 300 else None


def run(
    callers: Sequence[Callable[[int], bool]],
    seconds: float,
    pause: float = 0.0,
    between: Callable[[int], object] | None = None,
) -> Sample:
    """Let every caller call in a loop for `seconds`, pausing in between; the first call of each is not counted.

    Pauses are drawn around `pause`, since people don't act in step; without it nobody waits. `between` is called with
    the caller's position after each of its calls, unmeasured.
    """
    sample = Sample()
    lock = threading.Lock()
    ready = threading.Barrier(len(callers) + 1)

    def loop(position: int, caller: Callable[[int], bool]) -> None:
        caller(0)
        if between is not None:
            between(position)
        ready.wait()
        time.sleep(random.uniform(0, pause))
        number = 0
        while time.monotonic() < deadline[0]:
            number += 1
            began = time.perf_counter()
            succeeded = caller(number)
            took = 1000 * (time.perf_counter() - began)
            with lock:
                if succeeded:
                    sample.milliseconds.append(took)
                else:
                    sample.failures += 1
            if between is not None:
                between(position)
            time.sleep(random.uniform(0.5 * pause, 1.5 * pause))

    deadline = [float("inf")]
    threads = [threading.Thread(target=loop, args=numbered, daemon=True) for numbered in enumerate(callers)]
    for thread in threads:
        thread.start()
    began = time.monotonic()
    deadline[0] = time.monotonic() + seconds + 60
    ready.wait()
    began = time.monotonic()
    deadline[0] = began + seconds
    for thread in threads:
        thread.join()
    sample.seconds = time.monotonic() - began
    return sample
