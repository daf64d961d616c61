"""Figures of evaluations for Prometheus, from the database."""

from dynabench_common.database.figures import Figure, age_of

FIGURES = (
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
)
