"""Context efforts: the parts of one person's tries on one context that determine the effort."""

from collections import defaultdict
from collections.abc import Iterable, Sequence

from dynabench_common.database.bulk import as_document, given_rows, upsert_rows
from sqlalchemy import Connection, Integer, and_, column, select

from leaderboard.adapters.tables import context_effort
from leaderboard.domain.effort import ContextEffortKey, ContextTry

UPSERT_TRIES = upsert_rows(context_effort)
WANTED = given_rows(
    (*(context_effort.c[name] for name in ContextEffortKey._fields), column("position", Integer))
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
        rows = [{**key._asdict(), "position": position} for position, key in enumerate(wanted)]
        for position, *rest in connection.execute(TRIES, as_document(rows)):
            found[wanted[position]].append(ContextTry(wanted[position], *rest))
    return found


def save(connection: Connection, tries: Sequence[ContextTry]) -> None:
    """Write tries that are new or changed."""
    if tries:
        connection.execute(UPSERT_TRIES, as_document([_row(part) for part in tries]))


def _row(part: ContextTry) -> dict[str, object]:
    return {
        **part.key._asdict(),
        "example_id": part.example_id,
        "number": part.number,
        "milliseconds": part.milliseconds,
        "fooled": dict(part.fooled),
    }
