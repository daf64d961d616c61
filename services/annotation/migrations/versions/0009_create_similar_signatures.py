"""Find similar signatures by the index on their bands, always.

PostgreSQL takes any band for as frequent as the rarest that it has seen, so with a million signatures it expects ten
thousand similar ones where there are ten, and reads the whole table: 1.2 s. The function's settings leave it the
index, 0.4 ms, and `ROWS` tells whoever joins what to expect. `LIMIT` is for a round full of one text.

Revision ID: 0009
"""

from alembic import op

revision = "0009"
down_revision = "0008"

SIMILAR = """
CREATE FUNCTION similar_signatures(wanted bigint[]) RETURNS TABLE (example_id uuid, shared integer)
LANGUAGE sql STABLE ROWS 10
SET enable_seqscan = off SET enable_indexscan = off
AS $$
    SELECT example_id, cardinality(ARRAY(SELECT unnest(bands) INTERSECT SELECT unnest(wanted)))
    FROM example_signature WHERE bands && wanted LIMIT 10000
$$
"""


def upgrade() -> None:
    op.execute(SIMILAR)


def downgrade() -> None:
    op.execute("DROP FUNCTION similar_signatures(bigint[])")
