"""Figures of submissions and of the models that are served for Prometheus, from the registry's database."""

from dynabench_common.database.figures import INBOX, OUTBOX, Figure, age_of

TARGETS = "SELECT DISTINCT jsonb_array_elements_text(targets) FROM round WHERE state = 'open' AND targets IS NOT NULL"
FIGURES = (
    *OUTBOX,
    *INBOX,
    Figure(
        "dynabench_submissions_checking",
        "Submissions that are being checked, by the step they are at",
        "SELECT step, count(*) FROM submission WHERE state = 'checking' GROUP BY step",
        ("step",),
    ),
    Figure(
        "dynabench_submission_age_seconds",
        "Age of the first submission that is being checked; 0 when none is",
        f"SELECT {age_of('min(requested_at)')} FROM submission WHERE state = 'checking'",
    ),
    Figure(
        "dynabench_served_models",
        "Models that are served, by pool and the state of their workers",
        "SELECT served_model.pool, record->>'state', count(*) FROM serving_state "
        "JOIN served_model USING (name) GROUP BY 1, 2",
        ("pool", "state"),
    ),
    Figure(
        "dynabench_open_round_targets",
        "Targets of open rounds, by whether they answer",
        "SELECT CASE WHEN record->>'state' = 'ready' THEN 'ready' ELSE 'not ready' END, count(*) "
        f"FROM ({TARGETS}) AS target (name) LEFT JOIN serving_state USING (name) GROUP BY 1",
        ("state",),
    ),
    Figure(
        "dynabench_reconciler_silence_seconds",
        "Time since the reconciler of the model servers last gave a sign of life",
        f"SELECT {age_of('beat_at')} FROM reconciler",
    ),
)
