"""Add second factors of people, and the devices of sessions.

Revision ID: 0105
"""

from alembic import op

revision = "0105"
down_revision = "0104"


def upgrade() -> None:
    """Add the columns."""
    op.execute(
        "ALTER TABLE person ADD COLUMN app_secret text, ADD COLUMN app_confirmed_at timestamptz, "
        "ADD COLUMN app_last_step bigint, ADD COLUMN recovery_digests bytea[]"
    )
    op.execute("ALTER TABLE session ADD COLUMN device text NOT NULL DEFAULT ''")


def downgrade() -> None:
    """Remove the columns."""
    op.execute(
        "ALTER TABLE person DROP COLUMN app_secret, DROP COLUMN app_confirmed_at, DROP COLUMN app_last_step, "
        "DROP COLUMN recovery_digests"
    )
    op.execute("ALTER TABLE session DROP COLUMN device")
