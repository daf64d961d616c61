"""Commands on contexts: add them to a round, report one as unfit."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from annotation.domain.assignment import ContextNotAssigned
from annotation.domain.context import ContextRepeated, read_contexts
from annotation.domain.identifiers import ContextId, PersonId, RoundId
from annotation.service_layer.dependencies import Dependencies
from annotation.service_layer.images import find_missing_images, missing_image


@dataclass(frozen=True)
class ContextUpload:
    """A context as an owner sends it."""

    fields: Mapping[str, object]
    tags: Sequence[str]


@dataclass(frozen=True)
class FlagContext:
    """Report a context as unfit."""

    context_id: ContextId
    person_id: PersonId
    reason: str


def add_contexts(round_id: RoundId, added: Sequence[ContextUpload], app: Dependencies) -> list[ContextId]:
    """Store the contexts, all or none, and return their ids.

    Raises NotFound, RoundImmutable, InputRefused, ContextRepeated.
    """
    with app.unit_of_work() as uow:
        round_, task = uow.rounds.get_for_share(round_id)
        round_.ensure_takes_contexts()
        uploads = [(ContextId(app.make_id()), new.fields, new.tags) for new in added]
        contexts = read_contexts(task.configuration, uploads)
        values = [context.fields for context in contexts]
        for position, name in find_missing_images(task.configuration.fields.context, values, uow.images):
            raise missing_image(f"contexts[{position}].fields.{name}")
        repeated = uow.contexts.add_all(round_.round_id, contexts)
        if repeated:
            raise ContextRepeated(repeated[0], None)
        uow.commit()
    return [context.context_id for context in contexts]


def flag_context(command: FlagContext, app: Dependencies) -> bool:
    """Store the report; return whether the context is withdrawn now.

    Only a person who works on the context, or has written on it, may report it. So nobody can collect skipped contexts
    to withdraw them. Raises NotFound, ContextNotAssigned, RoundImmutable, InputRefused.
    """
    with app.unit_of_work() as uow:
        round_id = uow.contexts.get(command.context_id).round_id
        place = uow.assignments.lock_place(round_id, command.person_id)
        given = uow.assignments.find(command.context_id, command.person_id)
        if given is None or not (given == place.last or given.attempts):
            raise ContextNotAssigned
        context = uow.contexts.lock(command.context_id)
        uow.rounds.get_for_share(context.round_id)[0].ensure_mutable()
        context.flag(command.person_id, command.reason, app.clock.now())
        uow.contexts.save(context)
        uow.commit()
    return context.is_withdrawn
