"""Weights of boards that people keep under a name, and boards that are frozen."""

from collections.abc import Mapping

from dynabench_client.areas.dead_letters import DeadLettersClient
from dynabench_client.connection import segment
from dynabench_client.results.base import Page
from dynabench_client.results.leaderboard import BoardSnapshot, BoardView, WholeSnapshot

Weights = Mapping[str, float] | str | None


class SharedBoardsClient(DeadLettersClient):
    """The part of the leaderboard's client about what people keep of boards of models."""

    def board_views(
        self, task: str, *, limit: int | None = None, cursor: str | None = None
    ) -> Page[BoardView]:
        """List a task's saved weights, the newest first."""
        path = f"/tasks/{segment(task)}/model-board/views"
        return self._get(path, Page[BoardView], limit=limit, cursor=cursor)

    def board_view(self, view_id: str) -> BoardView:
        """Return saved weights."""
        return self._get(f"/board-views/{segment(view_id)}", BoardView)

    def save_board_view(
        self,
        task: str,
        name: str,
        *,
        weights: Weights = None,
        datasets: Weights = None,
        gamma: float | str | None = None,
        mode: str | None = None,
    ) -> BoardView:
        """Save your weights under a name."""
        body = {"name": name, **_choice(weights, datasets, gamma, mode)}
        return self._post(f"/tasks/{segment(task)}/model-board/views", body, BoardView)

    def delete_board_view(self, view_id: str) -> None:
        """Forget weights that one saved."""
        self._connection.send(self.service, "DELETE", f"/board-views/{segment(view_id)}")

    def board_snapshots(
        self, task: str, *, limit: int | None = None, cursor: str | None = None
    ) -> Page[BoardSnapshot]:
        """List a task's frozen boards, the newest first."""
        path = f"/tasks/{segment(task)}/model-board/snapshots"
        return self._get(path, Page[BoardSnapshot], limit=limit, cursor=cursor)

    def freeze_board(
        self,
        task: str,
        *,
        weights: Weights = None,
        datasets: Weights = None,
        gamma: float | str | None = None,
        mode: str | None = None,
    ) -> WholeSnapshot:
        """Freeze a task's board as everybody sees it now; the same board is kept once."""
        body = _choice(weights, datasets, gamma, mode)
        return self._post(f"/tasks/{segment(task)}/model-board/snapshots", body, WholeSnapshot)

    def board_snapshot(self, snapshot_id: str) -> WholeSnapshot:
        """Return a frozen board."""
        return self._get(f"/board-snapshots/{segment(snapshot_id)}", WholeSnapshot)


def joined_weights(given: Weights) -> str | None:
    """Return weights as the leaderboard reads them; None where there are none."""
    if isinstance(given, str):
        return given
    return None if not given else ",".join(f"{name}:{weight:g}" for name, weight in given.items())


def _choice(
    weights: Weights, datasets: Weights, gamma: float | str | None, mode: str | None
) -> dict[str, object]:
    chosen = {
        "weights": joined_weights(weights),
        "datasets": joined_weights(datasets),
        "gamma": _number(gamma),
        "mode": mode,
    }
    return {name: given for name, given in chosen.items() if given is not None}


def _number(given: float | str | None) -> float | str | None:
    """Return a number that came as a text; the leaderboard refuses what is none."""
    try:
        return None if given is None else float(given)
    except ValueError:
        return given
