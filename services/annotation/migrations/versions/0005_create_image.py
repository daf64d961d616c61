"""Keep what is known of images.

Revision ID: 0005
"""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    op.create_table(
        "image",
        sa.Column("image_id", sa.Uuid, nullable=False),
        sa.Column("task_id", sa.Uuid, nullable=False),
        sa.Column("uploaded_by", sa.Uuid, nullable=False),
        sa.Column("announced_type", sa.Text, nullable=False),
        sa.Column("announced_size", sa.BigInteger, nullable=False),
        sa.Column("announced_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("digest", sa.Text),
        sa.Column("media_type", sa.Text),
        sa.Column("size", sa.BigInteger),
        sa.Column("width", sa.Integer),
        sa.Column("height", sa.Integer),
        sa.Column("kept_at", sa.DateTime(timezone=True)),
        sa.PrimaryKeyConstraint("image_id", name="pk_image"),
        sa.ForeignKeyConstraint(["task_id"], ["task.task_id"], name="fk_image_task_id_task"),
    )
    op.create_index(
        "ix_image_announced_at", "image", ["announced_at"], postgresql_where=sa.text("kept_at IS NULL")
    )


def downgrade() -> None:
    op.drop_table("image")
