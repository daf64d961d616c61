"""Figures of releases for Prometheus, from scoring's database."""

from dynabench_common.database.figures import INBOX, OUTBOX, Figure, age_of

FIGURES = (
    *OUTBOX,
    *INBOX,
    Figure(
        "dynabench_release_age_seconds",
        "Age of the first release asked for that is still built; 0 when none is",
        f"SELECT {age_of('min(requested_at)')} FROM release WHERE state = 'building'",
    ),
)
