"""Use of on-demand workers, which decides whether they may run."""

from collections.abc import Callable, Mapping

from registry.domain.declarations import SCORER, Start

SCORER_IDLE_SECONDS = 60.0
"""Idle time after which an evaluation's sandbox ends."""


class WorkerUse:
    """Time of the last request for workers, by serving name.

    `ages` returns the records of the HTTP processes: seconds since the last request, by serving name.
    """

    def __init__(
        self, monotonic: Callable[[], float], ages: Callable[[], Mapping[str, float]] = lambda: {}
    ) -> None:
        self._monotonic = monotonic
        self._ages = ages
        self._last_used: dict[str, float] = {}

    def refresh(self) -> None:
        """Read the requests that HTTP processes have recorded since."""
        now = self._monotonic()
        self._last_used = {
            name: at
            for name, at in self._last_used.items()
            if not SCORER.fullmatch(name) or now - at < SCORER_IDLE_SECONDS
        }
        for name, seconds_ago in self._ages().items():
            self._last_used[name] = max(now - seconds_ago, self._last_used.get(name, now - seconds_ago))

    def note(self, serving_name: str) -> None:
        """Count workers as asked for now."""
        self._last_used[serving_name] = self._monotonic()

    def seconds_ago(self, serving_name: str) -> float:
        """Return the seconds since the last request for them; infinite if there was none."""
        return self._monotonic() - self._last_used.get(serving_name, float("-inf"))

    def is_used(self, serving_name: str, start: Start) -> bool:
        """Return whether a request for them came within their idle time."""
        return self.seconds_ago(serving_name) < start.idle_seconds

    def scorers(self, serving_name: str) -> list[str]:
        """Return the serving names of a model's sandboxes that evaluations use now."""
        return sorted(
            name
            for name in self._last_used
            if (found := SCORER.fullmatch(name)) is not None
            and found["model"] == serving_name
            and self.seconds_ago(name) < SCORER_IDLE_SECONDS
        )
