"""Who may move the sums of a round: one transaction at a time, others work on other rounds meanwhile.

A configuration moves the sums of every round of its task, some of which its worker can't see yet; so a batch that
brings one excludes all others for a moment. Locks are taken in one order, so nobody waits in a circle. Each read model
has locks of its own: who builds one makes nobody wait who keeps another.
"""

from collections.abc import Iterable
from uuid import UUID

from sqlalchemy import Connection, text

EVERYBODY = 4_720
ROUNDS = 4_722
# Two rounds that share a bucket merely take turns; the database need not hold a lock for each of many thousands.
BUCKETS = 1_024

ALONE = text("SELECT pg_advisory_xact_lock(:key)")
BESIDE_OTHERS = text("SELECT pg_advisory_xact_lock_shared(:key)")
BUCKET = text("SELECT pg_advisory_xact_lock(:rounds, :bucket)")


def hold(connection: Connection, round_ids: Iterable[UUID], *, alone: bool, read_model: int = 0) -> None:
    """Wait until nobody else writes to these rounds, with `alone` to any, and keep it so until the transaction ends.

    `read_model` is its number; with 0 the locks are those of versions that knew one set of tables alone.
    """
    connection.execute(ALONE if alone else BESIDE_OTHERS, {"key": (read_model << 32) + EVERYBODY})
    if not alone:
        for bucket in sorted({round_id.int % BUCKETS for round_id in round_ids}):
            connection.execute(BUCKET, {"rounds": ROUNDS, "bucket": read_model * BUCKETS + bucket})
