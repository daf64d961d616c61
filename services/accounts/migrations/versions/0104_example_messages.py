"""Note which authors wait for an answer to a message.

Revision ID: 0104
"""

from alembic import op

revision = "0104"
down_revision = "0103"


def upgrade() -> None:
    """Add the columns."""
    op.execute(
        "ALTER TABLE notice_example ADD COLUMN message_version integer DEFAULT 0 NOT NULL,"
        " ADD COLUMN asked_at timestamptz"
    )


def downgrade() -> None:
    """Remove them."""
    op.execute("ALTER TABLE notice_example DROP COLUMN message_version, DROP COLUMN asked_at")
