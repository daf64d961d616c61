"""Queue metrics for Prometheus, from validation's database."""

from dynabench_common.database.figures import INBOX, MOST_COUNTED, OUTBOX, Figure, age_of

FIRST_OF_ROUND = """
SELECT created_at FROM example_validation
WHERE round_id = round.round_id AND wanted AND NOT retracted AND resolution IS NULL ORDER BY created_at LIMIT 1
"""
FIGURES = (
    *OUTBOX,
    *INBOX,
    Figure(
        "dynabench_validation_waiting_examples",
        f"Examples that wait for votes, of all rounds; at most {MOST_COUNTED:,} are counted",
        "SELECT count(*) FROM (SELECT 1 FROM example_validation "
        f"WHERE wanted AND NOT retracted AND resolution IS NULL LIMIT {MOST_COUNTED}) AS waiting",
    ),
    Figure(
        "dynabench_validation_age_seconds",
        "Age of the oldest example that waits for votes in an open round; 0 when none waits",
        f"SELECT {age_of('min(first.created_at)')} FROM round CROSS JOIN LATERAL ({FIRST_OF_ROUND}) AS first "
        "WHERE round.state = 'open'",
    ),
    Figure(
        "dynabench_validation_leases",
        "Examples that are in somebody's hands for a vote",
        "SELECT count(*) FROM lease WHERE expires_at > now()",
    ),
)
