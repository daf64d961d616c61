"""Compute the digests of archives with code from their bytes; earlier versions took what an archive declared.

Revision ID: 0007
"""

from alembic import op

revision = "0007"
down_revision: str | None = "0006"
COMPUTED = """
CREATE TEMPORARY TABLE computed ON COMMIT DROP AS
SELECT submission_id, jsonb_build_object(
    'model_digest', archive_digest,
    'handler_digest', 'sha256:' || encode(sha256(convert_to(coalesce((
        SELECT string_agg(
            (entry->>'sha256') || '  ' || (entry->>'path') || chr(10), '' ORDER BY entry->>'path' COLLATE "C"
        )
        FROM jsonb_array_elements(scan->'entries') AS entry WHERE entry->>'kind' = 'code'
    ), ''), 'UTF8')), 'hex')
) AS digests
FROM submission WHERE pool = 'sandboxed' AND served IS NOT NULL AND scan IS NOT NULL
"""


def upgrade() -> None:
    op.execute(COMPUTED)
    for table, column in (("submission", "served"), ("served_model", "archive")):
        op.execute(
            f"UPDATE {table} SET {column} = {column} || digests FROM computed"
            f" WHERE {table}.submission_id = computed.submission_id"
        )


def downgrade() -> None:
    """Leave the digests: those that archives declared are not believed again."""
