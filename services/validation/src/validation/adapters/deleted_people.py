"""Removal of the messages of people who deleted their accounts."""

from collections.abc import Sequence
from typing import cast

from dynabench_common.events.cloud_events import Event
from dynabench_events import message_types, recorded
from dynabench_events.person import PersonDeleted
from sqlalchemy import Connection, select

from validation.adapters.tables import example_message, example_question, example_validation

PEOPLE_TOPICS = ("dynabench.person.v1",)


class DeletedPeopleProjection:
    """Removes what deleted people wrote about examples; their votes stay."""

    accepts = message_types((PersonDeleted,))

    def apply(self, connection: Connection, events: Sequence[Event]) -> None:
        """Remove messages, and questions that wait for an answer. Raises PermanentEventError."""
        people = [cast("PersonDeleted", event.record).person_id for event in map(recorded, events)]
        own = select(example_validation.c.example_id).where(example_validation.c.author_id.in_(people))
        connection.execute(example_question.delete().where(example_question.c.example_id.in_(own)))
        connection.execute(example_message.delete().where(example_message.c.writer_id.in_(people)))
