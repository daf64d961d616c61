"""Values instead of labels: claims and golds as value texts, metadata of votes, decided verdicts."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects.postgresql import JSONB

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    """Rename the claim, and add what typed tasks need; what was agreed on so far becomes gold."""
    op.alter_column("example", "claimed_label", new_column_name="claimed")
    op.add_column("example", sa.Column("undecided", sa.Boolean))
    op.add_column("example", sa.Column("decided_version", sa.Integer))
    op.add_column("example", sa.Column("decided_fooled", sa.Boolean))
    op.add_column("vote", sa.Column("metadata", JSONB, nullable=False, server_default="{}"))
    op.add_column("example_validation", sa.Column("golds", JSONB))
    op.execute(
        "UPDATE example_validation SET golds = CASE WHEN agreed_is_task_label"
        " THEN jsonb_build_array(agreed_option) ELSE '[]'::jsonb END WHERE resolution IS NOT NULL"
    )
    op.drop_column("example_validation", "agreed_is_task_label")


def downgrade() -> None:
    """Go back to labels."""
    op.add_column("example_validation", sa.Column("agreed_is_task_label", sa.Boolean))
    op.execute(
        "UPDATE example_validation SET agreed_is_task_label = golds <> '[]'::jsonb WHERE resolution IS NOT NULL"
    )
    op.drop_column("example_validation", "golds")
    op.drop_column("vote", "metadata")
    for column in ("decided_fooled", "decided_version", "undecided"):
        op.drop_column("example", column)
    op.alter_column("example", "claimed", new_column_name="claimed_label")
