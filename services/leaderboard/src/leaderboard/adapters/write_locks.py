"""Write locks on the sums of rounds: one transaction at a time per round, in parallel for different rounds.

A configuration changes the sums of every round of its task, and its worker can't see some of them yet. So a batch with
a configuration briefly excludes all others. Locks are taken in one order, so there are no deadlocks. Each read model
has its own locks: a worker that builds one never blocks a worker that updates another.
"""

from collections.abc import Iterable
from uuid import UUID

from dynabench_common.work.leader import LockKey
from sqlalchemy import Connection, text

# Two rounds that share a bucket merely take turns; the database need not hold a lock for each of many thousands.
BUCKETS = 1_024

ALONE = text("SELECT pg_advisory_xact_lock(:key)")
BESIDE_OTHERS = text("SELECT pg_advisory_xact_lock_shared(:key)")
BUCKET = text("SELECT pg_advisory_xact_lock(:rounds, :bucket)")


def hold(connection: Connection, round_ids: Iterable[UUID], *, alone: bool, read_model: int) -> None:
    """Wait until nobody else writes to these rounds, with `alone` to any, and keep it so until the transaction ends.

    `read_model` is its number.
    """
    connection.execute(
        ALONE if alone else BESIDE_OTHERS, {"key": (read_model << 32) + LockKey.LEADERBOARD_ALL_ROUNDS}
    )
    if not alone:
        for bucket in sorted({round_id.int % BUCKETS for round_id in round_ids}):
            connection.execute(
                BUCKET, {"rounds": LockKey.LEADERBOARD_ROUND, "bucket": read_model * BUCKETS + bucket}
            )
