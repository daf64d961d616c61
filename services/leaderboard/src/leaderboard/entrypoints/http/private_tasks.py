"""Parts of private tasks in addresses."""

from dynabench_common.auth.private_tasks import PrivateTasks, private_by_newest
from sqlalchemy import select

from leaderboard.adapters.shared_tables import board_snapshot, board_view
from leaderboard.adapters.standing_read_model import StandingReadModel
from leaderboard.adapters.tables import round_, task_configuration

OF_ROUND = select(task_configuration.c.slug).join(round_, round_.c.task_id == task_configuration.c.task_id)


def private_tasks(read_model: StandingReadModel) -> PrivateTasks:
    """Return the private tasks of this service."""
    return PrivateTasks(
        read_model.connect,
        private_by_newest(task_configuration),
        {
            "round_id": lambda key: OF_ROUND.where(round_.c.round_id == key),
            "view_id": lambda key: select(board_view.c.task_slug).where(board_view.c.view_id == key),
            "snapshot_id": lambda key: select(board_snapshot.c.task_slug).where(
                board_snapshot.c.snapshot_id == key
            ),
        },
    )
