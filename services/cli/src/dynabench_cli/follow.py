"""Looking after work that the platform does by itself, until it is done."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

State = TypeVar("State")


@dataclass(frozen=True)
class Patience:
    """Interval of polling, and the longest wait without progress."""

    pause_seconds: float = 0.5
    stall_seconds: float = 120.0
    sleep: Callable[[float], None] = time.sleep
    now: Callable[[], float] = time.monotonic


PATIENCE = Patience()


def follow(
    read: Callable[[], State],
    is_finished: Callable[[State], bool],
    seen: Callable[[State], None],
    patience: Patience = PATIENCE,
) -> State:
    """Return the state of work once it is finished, or makes no progress for too long.

    `seen` is called with each new state.
    """
    state = read()
    seen(state)
    moved_at = patience.now()
    while not is_finished(state) and patience.now() - moved_at < patience.stall_seconds:
        patience.sleep(patience.pause_seconds)
        newer = read()
        if newer != state:
            state, moved_at = newer, patience.now()
            seen(state)
    return state
