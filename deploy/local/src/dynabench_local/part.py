"""A part of the stack: a process, its dependencies, and short HTTP requests for its readiness check."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import urllib3

_pool = urllib3.PoolManager(timeout=urllib3.Timeout(total=2), retries=False)


@dataclass(frozen=True)
class Part:
    """One supervised process.

    `prepare` runs before the start; `is_ready` returns whether the part is ready, and may raise before. `waits_for`
    describes what it waits for: each change restarts `patience_seconds`. A part `after` others starts once they are
    ready. Files in `remove_first` are removed before every start. Where root starts the stack, the process runs as
    `user`.
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


def reason_of(url: str) -> str:
    """Return why `url` refuses, in the words of its problem document; empty if there is none."""
    try:
        return str(json.loads(_pool.request("GET", url).data).get("detail", ""))
    except (urllib3.exceptions.HTTPError, ValueError, AttributeError):
        return ""


def answers(url: str, status: int = 200, token: str | None = None) -> bool:
    """Return whether `url` answers with `status` now."""
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    try:
        return _pool.request("GET", url, headers=headers).status == status
    except urllib3.exceptions.HTTPError:
        return False
