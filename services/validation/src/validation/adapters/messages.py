"""Messages about examples in PostgreSQL, and their removal when the writer deletes the account."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any, cast

from dynabench_common.events.cloud_events import Event
from dynabench_events import message_types, recorded
from dynabench_events.person import PersonDeleted
from sqlalchemy import Connection, Row, select
from sqlalchemy.dialects.postgresql import insert

from validation.adapters.tables import example_message, example_question, example_validation
from validation.domain.identifiers import ExampleId, RoundId

PEOPLE_TOPICS = ("dynabench.person.v1",)


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


class DeletedPeopleProjection:
    """Removes what deleted people wrote about examples; their votes stay."""

    accepts = message_types((PersonDeleted,))

    def apply(self, connection: Connection, events: Sequence[Event]) -> None:
        """Remove messages, and questions that wait for an answer. Raises PermanentEventError."""
        people = [cast("PersonDeleted", event.record).person_id for event in map(recorded, events)]
        own = select(example_validation.c.example_id).where(example_validation.c.author_id.in_(people))
        connection.execute(example_question.delete().where(example_question.c.example_id.in_(own)))
        connection.execute(example_message.delete().where(example_message.c.writer_id.in_(people)))
