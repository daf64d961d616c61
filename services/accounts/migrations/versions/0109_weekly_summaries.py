"""Keep what weekly summaries count, the weeks that are summed up, and the example of a notice.

Revision ID: 0109
"""

from alembic import op

revision = "0109"
down_revision = "0108"


def upgrade() -> None:
    """Add the columns and the table; weeks before this release are not summed up."""
    op.execute(
        "ALTER TABLE notice_example ADD COLUMN created_at timestamptz, ADD COLUMN is_fooled boolean,"
        " ADD COLUMN answered_at timestamptz"
    )
    op.execute("ALTER TABLE notice ADD COLUMN example_id uuid")
    op.execute(
        "CREATE TABLE notice_week (monday date NOT NULL, CONSTRAINT pk_notice_week PRIMARY KEY (monday))"
    )
    op.execute(
        "INSERT INTO notice_week SELECT CAST(date_trunc('week', now() AT TIME ZONE 'UTC') AS date) - 7 * weeks"
        " FROM generate_series(1, 2) AS weeks"
    )


def downgrade() -> None:
    """Remove them."""
    op.execute("DROP TABLE notice_week")
    op.execute("ALTER TABLE notice DROP COLUMN example_id")
    op.execute(
        "ALTER TABLE notice_example DROP COLUMN created_at, DROP COLUMN is_fooled, DROP COLUMN answered_at"
    )
