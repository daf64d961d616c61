"""Mail metrics for Prometheus, from the database of accounts."""

from dynabench_common.database.figures import INBOX, MOST_COUNTED, OUTBOX, Figure, age_of

FIGURES = (
    *OUTBOX,
    *INBOX,
    Figure(
        "dynabench_mails_waiting",
        f"Mails that are due and not sent; at most {MOST_COUNTED:,} are counted",
        f"SELECT count(*) FROM (SELECT 1 FROM mail WHERE body IS NOT NULL AND due_at <= now() LIMIT {MOST_COUNTED}) "
        "AS waiting",
    ),
    Figure(
        "dynabench_mail_age_seconds",
        "Age of the oldest mail that waits to be sent; 0 when none waits",
        f"SELECT {age_of('min(written_at)')} FROM mail WHERE body IS NOT NULL",
    ),
)
