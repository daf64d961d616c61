"""Which workers that start on demand are in use, and so deserve to run."""

from collections.abc import Callable

from registry.domain.declarations import Start


class WorkerUse:
    """Remembers by serving name when each was asked for last. Written by HTTP threads, read by the reconciler."""

    def __init__(self, monotonic: Callable[[], float]) -> None:
        self._monotonic = monotonic
        self._last_used: dict[str, float] = {}

    def note(self, serving_name: str) -> None:
        """Note that somebody asks for them now."""
        self._last_used[serving_name] = self._monotonic()

    def is_used(self, serving_name: str, start: Start) -> bool:
        """Tell whether they were asked for within their idle time."""
        last_used = self._last_used.get(serving_name)
        return last_used is not None and self._monotonic() - last_used < start.idle_seconds
