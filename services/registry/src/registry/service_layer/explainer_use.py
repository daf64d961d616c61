"""Which models' explanations are in use, and so deserve workers."""

from collections.abc import Callable

from registry.domain.declarations import Declared


class ExplainerUse:
    """Remembers when each was asked for last. Written by HTTP threads, read by the reconciler."""

    def __init__(self, monotonic: Callable[[], float]) -> None:
        self._monotonic = monotonic
        self._last_used: dict[str, float] = {}

    def note(self, name: str) -> None:
        """Note that somebody asks for explanations now."""
        self._last_used[name] = self._monotonic()

    def is_wanted(self, declared: Declared) -> bool:
        """Tell whether the model's explanation workers should run."""
        if declared.explain is None:
            return False
        if not declared.explain.on_demand:
            return True
        last_used = self._last_used.get(declared.name)
        return last_used is not None and self._monotonic() - last_used < declared.explain.idle_seconds
