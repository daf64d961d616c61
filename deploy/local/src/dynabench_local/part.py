"""A part of the stack: a process, its dependencies and its readiness check."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path


@dataclass(frozen=True)
class Part:
    """One supervised process.

    `prepare` runs before the start; `is_ready` tells whether the part can do its job now and may raise while it
    cannot. `waits_for` says in words what it waits for: while that changes, `patience_seconds` begin anew. A part
    `after` others starts once they are ready. What `remove_first` names goes before every start. Where root
    starts the stack, the process runs as `user`.
    """

    name: str
    command: tuple[str, ...]
    directory: Path
    environment: Mapping[str, str] = field(default_factory=dict)
    after: tuple[str, ...] = ()
    prepare: Callable[[], None] = lambda: None
    is_ready: Callable[[], bool] = lambda: True
    waits_for: Callable[[], str] = lambda: ""
    on_ready: Callable[[], None] = lambda: None
    patience_seconds: float = 120
    stop_signal: str = "TERM"
    stop_seconds: int = 10
    user: str | None = None
    remove_first: tuple[Path, ...] = ()
    remedy: str = ""
