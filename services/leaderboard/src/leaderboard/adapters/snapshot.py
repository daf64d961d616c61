"""Comparable form of everything derived from the log, to check that two databases are equal."""

from datetime import UTC, datetime
from typing import Any
from uuid import UUID

from sqlalchemy import Engine, select

from leaderboard.adapters.projection import VERSION
from leaderboard.adapters.standing_read_model import StandingReadModel
from leaderboard.adapters.tables import model_board, read_models, round_

NOT_DERIVED = frozenset({round_.c.revision, model_board.c.revision})


def snapshot(engine: Engine, version: int = VERSION) -> dict[str, list[dict[str, Any]]]:
    """Return the rows of every table of the read model that stands, by key, without what each build makes anew."""
    with StandingReadModel(engine, version).connect() as connection:
        return {
            table.name: [
                {name: _plain(value) for name, value in row._mapping.items()}
                for row in connection.execute(
                    select(*(column for column in table.c if column not in NOT_DERIVED)).order_by(
                        *table.primary_key.columns
                    )
                )
            ]
            for table in read_models
        }


def _plain(value: Any) -> Any:
    match value:
        case UUID():
            return str(value)
        case datetime():
            return value.astimezone(UTC).isoformat()
        case bytes() | memoryview():
            return bytes(value).hex()
        case _:
            return value
