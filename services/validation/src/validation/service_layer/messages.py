"""A message of an example's author to the owners of its task, or of an owner to the author."""

from dataclasses import dataclass
from itertools import takewhile

from dynabench_common.events.audit import Action, action_taken
from dynabench_common.identifiers import new_id

from validation.adapters.unit_of_work import UnitOfWork
from validation.domain.errors import TooManyMessages
from validation.domain.identifiers import ExampleId, PersonId
from validation.service_layer.admission import ensure_not_released
from validation.service_layer.dependencies import Dependencies

MOST_IN_A_ROW = 5


@dataclass(frozen=True)
class WriteMessage:
    """The author or an owner writes about an example; `mentioned` people are notified if they own the task."""

    example_id: ExampleId
    writer_id: PersonId
    text: str
    mentioned: tuple[PersonId, ...] = ()


def can_write(uow: UnitOfWork, example_id: ExampleId, *, by_author: bool) -> bool:
    """Return whether that side has not written too many messages since the other one wrote."""
    newest_first = reversed(uow.messages.of(example_id))
    in_a_row = takewhile(lambda message: message.by_author == by_author, newest_first)
    return sum(1 for _ in in_a_row) < MOST_IN_A_ROW


def write_message(command: WriteMessage, app: Dependencies) -> None:
    """Store the message. What an owner writes is in the audit log, without the text.

    Raises ExampleUnknown, ExampleRetracted, RoundReleased, TooManyMessages.
    """
    with app.unit_of_work() as uow:
        validation = uow.validations.lock(command.example_id)
        ensure_not_released(uow.rounds, validation.round_id)
        now = app.clock.now()
        by_author = validation.write_message(command.writer_id, command.mentioned, now)
        if not can_write(uow, command.example_id, by_author=by_author):
            raise TooManyMessages
        uow.messages.add(
            message_id=new_id(),
            example_id=command.example_id,
            writer_id=command.writer_id,
            by_author=by_author,
            text=command.text,
            written_at=now,
        )
        uow.validations.save(validation)
        if by_author:
            uow.messages.note_question(command.example_id, validation.round_id, now)
        else:
            uow.messages.forget_question(command.example_id)
            entry = Action(
                action="example.answered",
                actor_id=command.writer_id,
                object_kind="example",
                object_id=command.example_id,
                task_slug=validation.task_slug,
                round_id=validation.round_id,
            )
            uow.record([action_taken(entry, now)])
        uow.commit()
