"""Pursuits: the tries of one person on one context, as far as their effort follows from them."""

from collections import defaultdict
from collections.abc import Iterable, Sequence

from dynabench_common.bulk import as_arrays, upsert_rows
from sqlalchemy import ARRAY, Connection, Uuid, and_, bindparam, column, func, select

from leaderboard.adapters.tables import pursuit
from leaderboard.domain.effort import PursuitKey, PursuitTry

UPSERT_TRIES = upsert_rows(pursuit)
WANTED = (
    func.unnest(*(bindparam(name, type_=ARRAY(Uuid)) for name in PursuitKey._fields))
    .table_valued(*(column(name, Uuid) for name in PursuitKey._fields), with_ordinality="position")
    .render_derived(name="wanted")
)
TRIES = select(
    WANTED.c.position, pursuit.c.example_id, pursuit.c.number, pursuit.c.milliseconds, pursuit.c.fooled
).join(WANTED, and_(*(pursuit.c[name] == WANTED.c[name] for name in PursuitKey._fields)))


def load(connection: Connection, keys: Iterable[PursuitKey]) -> dict[PursuitKey, list[PursuitTry]]:
    """Return every known try of these pursuits."""
    wanted = sorted(set(keys))
    found: dict[PursuitKey, list[PursuitTry]] = defaultdict(list)
    if wanted:
        arrays = {name: [getattr(key, name) for key in wanted] for name in PursuitKey._fields}
        for position, *rest in connection.execute(TRIES, arrays):
            key = wanted[position - 1]
            found[key].append(PursuitTry(key, *rest))
    return found


def save(connection: Connection, tries: Sequence[PursuitTry]) -> None:
    """Write tries that are new or changed."""
    if tries:
        connection.execute(UPSERT_TRIES, as_arrays(pursuit, [_row(part) for part in tries]))


def _row(part: PursuitTry) -> dict[str, object]:
    return {
        **part.key._asdict(),
        "example_id": part.example_id,
        "number": part.number,
        "milliseconds": part.milliseconds,
        "fooled": dict(part.fooled),
    }
