"""Figures of evaluations and releases for Prometheus, from the scoring's database."""

from dynabench_common.database.figures import INBOX, OUTBOX, Figure, age_of

FIGURES = (
    *OUTBOX,
    *INBOX,
    Figure(
        "dynabench_evaluations_waiting",
        "Evaluations that have not ended, by how far they are",
        "SELECT state, count(*) FROM evaluation WHERE state IN ('queued', 'running', 'finishing') GROUP BY state",
        ("state",),
    ),
    Figure(
        "dynabench_evaluation_age_seconds",
        "Age of the first evaluation asked for that has not ended; 0 when all have",
        f"SELECT {age_of('min(requested_at)')} FROM evaluation WHERE state IN ('queued', 'running', 'finishing')",
    ),
    Figure(
        "dynabench_evaluation_shards",
        "Shards of the evaluations that have not ended, by whether they are answered",
        "SELECT unnest(ARRAY['answered', 'open']), unnest(ARRAY[coalesce(sum(shards_done), 0), "
        "coalesce(sum(shards - shards_done), 0)]) FROM evaluation "
        "WHERE state IN ('queued', 'running', 'finishing')",
        ("state",),
    ),
    Figure(
        "dynabench_release_age_seconds",
        "Age of the first release asked for that is still built; 0 when none is",
        f"SELECT {age_of('min(requested_at)')} FROM release WHERE state = 'building'",
    ),
)
