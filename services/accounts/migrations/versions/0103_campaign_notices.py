"""Add what a notice about the pay of a campaign names.

Revision ID: 0103
"""

from alembic import op

revision = "0103"
down_revision = "0102"


def upgrade() -> None:
    """Add the columns."""
    op.execute("ALTER TABLE notice ADD COLUMN campaign_id uuid, ADD COLUMN currency text")


def downgrade() -> None:
    """Remove the columns."""
    op.execute("ALTER TABLE notice DROP COLUMN campaign_id, DROP COLUMN currency")
