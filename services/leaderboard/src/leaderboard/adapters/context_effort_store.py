"""Context efforts: the tries of one person on one context, as far as their effort follows from them."""

from collections import defaultdict
from collections.abc import Iterable, Sequence

from dynabench_common.bulk import as_arrays, upsert_rows
from sqlalchemy import ARRAY, Connection, Uuid, and_, bindparam, column, func, select

from leaderboard.adapters.tables import context_effort
from leaderboard.domain.effort import ContextEffortKey, ContextTry

UPSERT_TRIES = upsert_rows(context_effort)
WANTED = (
    func.unnest(*(bindparam(name, type_=ARRAY(Uuid)) for name in ContextEffortKey._fields))
    .table_valued(*(column(name, Uuid) for name in ContextEffortKey._fields), with_ordinality="position")
    .render_derived(name="wanted")
)
TRIES = select(
    WANTED.c.position,
    context_effort.c.example_id,
    context_effort.c.number,
    context_effort.c.milliseconds,
    context_effort.c.fooled,
).join(WANTED, and_(*(context_effort.c[name] == WANTED.c[name] for name in ContextEffortKey._fields)))


def load(
    connection: Connection, keys: Iterable[ContextEffortKey]
) -> dict[ContextEffortKey, list[ContextTry]]:
    """Return every known try of these context efforts."""
    wanted = sorted(set(keys))
    found: dict[ContextEffortKey, list[ContextTry]] = defaultdict(list)
    if wanted:
        arrays = {name: [getattr(key, name) for key in wanted] for name in ContextEffortKey._fields}
        for position, *rest in connection.execute(TRIES, arrays):
            key = wanted[position - 1]
            found[key].append(ContextTry(key, *rest))
    return found


def save(connection: Connection, tries: Sequence[ContextTry]) -> None:
    """Write tries that are new or changed."""
    if tries:
        connection.execute(UPSERT_TRIES, as_arrays(context_effort, [_row(part) for part in tries]))


def _row(part: ContextTry) -> dict[str, object]:
    return {
        **part.key._asdict(),
        "example_id": part.example_id,
        "number": part.number,
        "milliseconds": part.milliseconds,
        "fooled": dict(part.fooled),
    }
