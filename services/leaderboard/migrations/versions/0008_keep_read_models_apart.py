"""Say which read models there are, so that one can be built beside another.

What stands in `public` goes on standing, of the version that its rows say; a database that nobody took events into is
the next worker's. Rows of before versions were said are of none: a worker builds them anew.

Revision ID: 0008
"""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects.postgresql import JSONB

revision = "0008"
down_revision = "0007"

MOMENT = sa.DateTime(timezone=True)
TAKE_IN_WHAT_STANDS = """
INSERT INTO read_model (number, version, state, stood_at)
SELECT 0, coalesce((SELECT version FROM projection WHERE name = 'boards'), CASE
    WHEN EXISTS (SELECT FROM inbox) OR EXISTS (SELECT FROM task_configuration)
        OR EXISTS (SELECT FROM round) OR EXISTS (SELECT FROM example) THEN 0
    ELSE 2 END), 'standing', now()
"""
DROP_SCHEMAS = """
DO $$ DECLARE found record; BEGIN
    FOR found IN SELECT nspname FROM pg_namespace JOIN read_model
        ON nspname = 'board_' || version || '_' || number WHERE number > 0
    LOOP EXECUTE format('DROP SCHEMA %I CASCADE', found.nspname); END LOOP;
END $$
"""


def upgrade() -> None:
    op.create_table(
        "read_model",
        sa.Column("number", sa.Integer, nullable=False, autoincrement=False),
        sa.Column("consumer_group", sa.Text, server_default="leaderboard", nullable=False),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("state", sa.Text, nullable=False),
        sa.Column("positions", JSONB, server_default="{}", nullable=False),
        sa.Column("events_read", sa.BigInteger, server_default="0", nullable=False),
        sa.Column("events_total", sa.BigInteger, server_default="0", nullable=False),
        sa.Column("events_applied", sa.BigInteger, server_default="0", nullable=False),
        sa.Column("events_refused", sa.BigInteger, server_default="0", nullable=False),
        sa.Column("begun_at", MOMENT, server_default=sa.func.now(), nullable=False),
        sa.Column("stood_at", MOMENT),
        sa.Column("replaced_at", MOMENT),
        sa.PrimaryKeyConstraint("number", name="pk_read_model"),
    )
    op.create_index(
        "uq_read_model_version_state",
        "read_model",
        ["version", "state"],
        unique=True,
        postgresql_where=sa.text("state IN ('building', 'standing')"),
    )
    op.execute(TAKE_IN_WHAT_STANDS)
    op.create_table(
        "build_trouble",
        sa.Column("version", sa.Integer, nullable=False, autoincrement=False),
        sa.Column("reason", sa.Text, nullable=False),
        sa.Column("noted_at", MOMENT, server_default=sa.func.now(), nullable=False),
        sa.PrimaryKeyConstraint("version", name="pk_build_trouble"),
    )


def downgrade() -> None:
    op.execute(DROP_SCHEMAS)
    op.drop_table("build_trouble")
    op.drop_table("read_model")
