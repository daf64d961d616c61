"""Check of the crowd's money: the ledger and the payments agree, and no account is below zero."""

from collections.abc import Iterator, Mapping
from functools import partial

import psycopg2

from dynabench_operate.doctor.databases import UNREACHABLE
from dynabench_operate.doctor.finding import Finding, failed, guarded, ok
from dynabench_operate.stores import Stores

CROWD = "crowd"
CHECK = "ledger of crowd"
FAULTS: Mapping[str, str] = {
    "payments differ from the ledger": """
        SELECT count(*) FROM payment
        FULL JOIN (SELECT * FROM posting WHERE kind = 'paid') entry ON entry.cause = 'paid:' || payment.payment_id
        WHERE (payment.state = 'paid') IS DISTINCT FROM (entry.cause IS NOT NULL)
           OR (entry.amount_minor, entry.currency, entry.assignment_id)
              <> (payment.amount_minor, payment.currency, payment.assignment_id)
    """,
    "accounts are below zero": """
        SELECT count(*) FROM (
            SELECT campaign_id, account FROM (
                SELECT campaign_id, to_account AS account, amount_minor AS amount FROM posting
                UNION ALL SELECT campaign_id, from_account, -amount_minor FROM posting
            ) moved WHERE account <> 'owner' GROUP BY campaign_id, account HAVING sum(amount) < 0
        ) below
    """,
    "bonuses were paid twice": """
        SELECT count(*) FROM (
            SELECT cause FROM payment, unnest(causes) AS cause WHERE state = 'paid' GROUP BY cause HAVING count(*) > 1
        ) twice
    """,
}
"""Counts of faults. Each entry moves an amount between two accounts, so the sum over all accounts is always zero."""
REMEDY = (
    "End payments: stop crowd's worker. Compare GET /api/crowd/v1/campaigns/{id}/ledger with the platform's own list, "
    "then restore the database from a backup or report the difference."
)


def findings(stores: Stores) -> Iterator[Finding]:
    """Yield the findings on the ledger."""
    yield from guarded(CHECK, partial(_ledger, stores), (psycopg2.Error,), UNREACHABLE)


def _ledger(stores: Stores) -> Iterator[Finding]:
    connection = stores.connect(CROWD)
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT to_regclass('public.posting') IS NOT NULL")
            (is_there,) = cursor.fetchone() or (False,)
            if not is_there:
                yield ok(CHECK, "empty; migrations will make it")
                return
            counts = {}
            for fault, statement in FAULTS.items():
                cursor.execute(statement)
                (counts[fault],) = cursor.fetchone() or (0,)
    finally:
        connection.close()
    yield judged(counts)


def judged(counts: Mapping[str, int]) -> Finding:
    """Return the finding on the number of each fault."""
    faults = [f"{count} {fault}" for fault, count in counts.items() if count]
    if faults:
        return failed(CHECK, "; ".join(faults), REMEDY)
    return ok(CHECK, "agrees with the payments")
