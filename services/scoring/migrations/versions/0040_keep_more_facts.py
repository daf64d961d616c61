"""Keep what datasets tell of examples and votes beside their texts.

Examples and votes that are stored already have nothing there until the facts are read anew from the log.

Revision ID: 0040
"""

import sqlalchemy as sa
from alembic import op

revision = "0040"
down_revision = "0035"

EXAMPLE = {
    "context_id": sa.Uuid,
    "attempt": sa.Integer,
    "assigned_label": sa.Text,
    "seconds_since_context": sa.Float,
    "probes_before": sa.Integer,
    "inspections_before": sa.Integer,
    "perturbation_of": sa.Uuid,
    "source_id": sa.Text,
}


def upgrade() -> None:
    """Add the columns."""
    for name, column_type in EXAMPLE.items():
        op.add_column("example", sa.Column(name, column_type))
    op.add_column("vote", sa.Column("seconds", sa.Float))


def downgrade() -> None:
    """Drop them."""
    op.drop_column("vote", "seconds")
    for name in reversed(EXAMPLE):
        op.drop_column("example", name)
