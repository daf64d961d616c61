"""Reads for answers of the HTTP interface, each on a connection of its own."""

from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import Engine, Executable, Row


def read_rows(
    engine: Engine, statement: Executable, parameters: Mapping[str, Any] | None = None
) -> Sequence[Row[Any]]:
    """Return the rows of a statement, read on a connection of its own. `parameters` go by name."""
    with engine.connect() as connection:
        return connection.execute(statement, parameters).all()
