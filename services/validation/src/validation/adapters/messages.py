"""Messages about examples in PostgreSQL."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Row, select
from sqlalchemy.dialects.postgresql import insert

from validation.adapters.tables import example_message, example_question
from validation.domain.identifiers import ExampleId, RoundId


class SqlMessages:
    """Messages of authors and owners, in the order in which they were written."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def of(self, example_id: ExampleId) -> Sequence[Row[Any]]:
        """Return the messages about an example, oldest first."""
        columns = example_message.c
        chosen = select(example_message).where(columns.example_id == example_id).order_by(columns.message_id)
        return self._connection.execute(chosen).all()

    def note_question(self, example_id: ExampleId, round_id: RoundId, asked_at: datetime) -> None:
        """Note that the author waits for an answer, if they do not yet."""
        values = {"example_id": example_id, "round_id": round_id, "asked_at": asked_at}
        self._connection.execute(insert(example_question).values(values).on_conflict_do_nothing())

    def forget_question(self, example_id: ExampleId) -> None:
        """Note that the author waits no longer."""
        of_example = example_question.c.example_id == example_id
        self._connection.execute(example_question.delete().where(of_example))

    def add(self, **columns: Any) -> None:
        """Store a message."""
        self._connection.execute(example_message.insert().values(columns))
