"""The collaborators of the handlers and routes, chosen once in `bootstrap`."""

from contextlib import AbstractContextManager
from dataclasses import dataclass

from dynabench_common.auth.authentication import Verifier
from dynabench_common.clock import Clock
from sqlalchemy import Engine, text

from leaderboard.adapters.shared_board_store import SharedBoards
from leaderboard.adapters.standing_read_model import StandingReadModel
from leaderboard.queries.boards import Boards
from leaderboard.queries.model_boards import ModelBoards
from leaderboard.queries.people import People
from leaderboard.queries.standings import Standings


@dataclass(frozen=True)
class Dependencies:
    """Everything that a handler or a route may use."""

    engine: Engine
    clock: Clock
    verifier: Verifier
    boards: Boards
    standings: Standings
    model_boards: ModelBoards
    people: People
    read_model: StandingReadModel

    def shared_boards(self) -> AbstractContextManager[SharedBoards]:
        """Return a transaction on saved views and frozen boards; it commits at the end of the block."""
        return SharedBoards.session(self.engine)

    def check_ready(self) -> None:
        """Raise when the database does not answer, or while nothing stands of this version of the boards."""
        with self.read_model.connect() as connection:
            connection.execute(text("SELECT 1"))
