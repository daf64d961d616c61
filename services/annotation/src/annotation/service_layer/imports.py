"""The command that drafts the round of a collection: one made elsewhere, or text to run targets over."""

import secrets
from dataclasses import dataclass

from dynabench_common.events.audit import Action
from dynabench_tasks.fields import InputRefused

from annotation.adapters.unit_of_work import UnitOfWork
from annotation.domain.identifiers import PersonId, RoundId
from annotation.domain.provenance import KEY_BYTES, Origin
from annotation.domain.round import Round
from annotation.service_layer.dependencies import Dependencies
from annotation.service_layer.rounds import DraftRound, check_draft, ensure_fit

LONGEST_SOURCE = 200


@dataclass(frozen=True)
class StartImport:
    """Take in the collection that is known as `source`, with the answers of these targets."""

    slug: str
    source: str
    title: str
    targets: tuple[str, ...]
    origin: Origin
    person_id: PersonId


@dataclass(eq=False)
class ImportDiffers(Exception):
    """The collection is being taken in already, with other targets or in another way."""

    targets: tuple[str, ...]
    origin: Origin


@dataclass(frozen=True)
class StartedImport:
    """The round that takes in a collection, and whether it was there before."""

    round_id: RoundId
    is_new: bool


def start_import(command: StartImport, app: Dependencies) -> StartedImport:
    """Draft the round, or find the existing draft for this collection.

    The round appears in lists and other services with its first record. Until then, its targets may still change.
    Targets of a harvest are checked against the task; those of an import are names alone. Raises NotFound,
    InputRefused, ImportDiffers, EnsembleTooSmall, TargetUnfit, TargetUnknown, GatewayUnavailable.
    """
    draft = DraftRound(command.slug, command.title, command.targets)
    check_draft(draft)
    _check_source(command)
    with app.unit_of_work() as uow:
        configuration = uow.tasks.get(command.slug).configuration
    if command.origin is Origin.HARVESTED:
        for target in command.targets:
            ensure_fit(target, configuration, app)
    with app.unit_of_work() as uow:
        started = _find_or_draft(command, uow, app)
        uow.commit()
    return started


def _check_source(command: StartImport) -> None:
    if not 1 <= len(command.source) <= LONGEST_SOURCE or not command.source.isprintable():
        reason = f"is no name of 1 to {LONGEST_SOURCE} printable characters"
        raise InputRefused("source", reason, "Name the collection, for example by its file.")
    if command.origin is Origin.HARVESTED and not command.targets:
        raise InputRefused("targets", "is empty", "Name the served models to run over the text.")


def _find_or_draft(command: StartImport, uow: UnitOfWork, app: Dependencies) -> StartedImport:
    task = uow.tasks.lock(command.slug)
    found = uow.rounds.find_collected(task.task_id, command.source)
    if found is not None:
        if (found.targets, found.origin) == (command.targets, command.origin):
            return StartedImport(found.round_id, is_new=False)
        if not uow.rounds.discard_empty(found.round_id):
            raise ImportDiffers(found.targets, found.origin)
    uow.records.ensure_key(task.task_id, secrets.token_bytes(KEY_BYTES))
    now = app.clock.now()
    round_ = Round.draft(
        RoundId(app.make_id()),
        task.task_id,
        uow.rounds.next_number(task.task_id),
        command.title,
        command.targets,
        now,
        command.origin,
        command.source,
    )
    round_.ensure_enough_targets(task.configuration.ensemble)
    uow.rounds.add(round_)
    uow.audit(_started(command, round_.round_id), now)
    return StartedImport(round_.round_id, is_new=True)


def _started(command: StartImport, round_id: RoundId) -> Action:
    details = {
        "source": command.source,
        "origin": command.origin.value,
        "targets": ", ".join(command.targets),
    }
    return Action(
        "round.imported",
        command.person_id,
        "round",
        round_id,
        command.slug,
        round_id,
        details=details,
    )
