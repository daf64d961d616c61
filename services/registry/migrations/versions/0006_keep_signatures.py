"""Keep the signature that came with an archive: the bundle and the signer's public key.

Revision ID: 0006
"""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects.postgresql import JSONB

revision = "0006"
down_revision: str | None = "0005"


def upgrade() -> None:
    op.add_column("submission", sa.Column("signature", JSONB))


def downgrade() -> None:
    op.drop_column("submission", "signature")
