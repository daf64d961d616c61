"""What people keep of boards of models."""

from datetime import datetime
from typing import Any

from dynabench_client.results.base import Result


class BoardView(Result):
    """Weights that somebody saved under a name."""

    view_id: str
    task_slug: str
    name: str
    weights: dict[str, float]
    datasets: dict[str, float]
    gamma: float
    mode: str
    created_at: datetime
    is_mine: bool


class BoardSnapshot(Result):
    """A frozen board without what is on it; `sha256` is of its canonical JSON."""

    snapshot_id: str
    task_slug: str
    created_at: datetime
    as_of: datetime
    sha256: str


class WholeSnapshot(BoardSnapshot):
    """A frozen board; `board` is what the board answered then, in the shape of that time."""

    board: dict[str, Any]
