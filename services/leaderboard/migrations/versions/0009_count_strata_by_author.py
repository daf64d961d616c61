"""Count by author what a round is projected from, and the tries whose votes can still make errors of them.

Workers of the version before go on writing without these columns; the rows of this version are built anew.

Revision ID: 0009
"""

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"

COLUMNS = {
    "tally": ("possible_errors",),
    "group_tally": ("possible_errors",),
    "group_author": (
        "stratum_fooled",
        "stratum_fooled_resolved",
        "stratum_fooled_errors",
        "stratum_not_fooled",
        "stratum_not_fooled_resolved",
    ),
    "author_history": ("fooled_resolved", "fooled_confirmed", "not_fooled", "not_fooled_resolved"),
}


def upgrade() -> None:
    for table, names in COLUMNS.items():
        for name in names:
            op.add_column(table, sa.Column(name, sa.Integer, nullable=False, server_default="0"))


def downgrade() -> None:
    for table, names in COLUMNS.items():
        for name in reversed(names):
            op.drop_column(table, name)
