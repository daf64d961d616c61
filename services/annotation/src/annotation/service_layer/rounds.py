"""Commands on rounds: draft one, move it through its life."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from dynabench_common.events.audit import Action
from dynabench_tasks.configuration.task_configuration import MOST_TARGETS, TaskConfiguration
from dynabench_tasks.fields import InputRefused
from dynabench_tasks.rounds import RoundState
from dynabench_tasks.text import validate_text

from annotation.domain.identifiers import PersonId, RoundId
from annotation.domain.provenance import Origin
from annotation.domain.round import Round
from annotation.domain.target import TargetDescription
from annotation.domain.task import Task
from annotation.service_layer.dependencies import Dependencies

LONGEST_TITLE = 200
LONGEST_REASON = 1_000
PAST_TENSE = {RoundState.OPEN: "opened", RoundState.PAUSED: "paused", RoundState.CLOSED: "closed"}


@dataclass(frozen=True)
class DraftRound:
    """Start a round of a task with these targets in the loop."""

    slug: str
    title: str
    targets: tuple[str, ...]
    is_demonstration: bool = False


@dataclass(frozen=True)
class ChangeRoundState:
    """Move a round to another state."""

    round_id: RoundId
    state: RoundState
    person_id: PersonId
    reason: str = ""


@dataclass(frozen=True)
class ChangeTargets:
    """Put other targets in the loop of a round."""

    round_id: RoundId
    targets: tuple[str, ...]
    person_id: PersonId
    reason: str
    may_be_emptied: bool = False


@dataclass(eq=False)
class TargetUnfit(Exception):
    """A target can't be in the loop of this task's rounds; `reason` completes "it ..."."""

    target: str
    reason: str
    remedy: str


def draft_round(command: DraftRound, app: Dependencies) -> RoundId:
    """Create the round and return its id. Raises NotFound, InputRefused."""
    check_draft(command)
    with app.unit_of_work() as uow:
        task = uow.tasks.lock(command.slug)
        round_ = Round.draft(
            RoundId(app.make_id()),
            task.task_id,
            uow.rounds.next_number(task.task_id),
            command.title,
            command.targets,
            app.clock.now(),
            Origin.DEMONSTRATION if command.is_demonstration else Origin.WRITTEN,
        )
        uow.rounds.add(round_)
        uow.commit()
    return round_.round_id


def change_round_state(command: ChangeRoundState, app: Dependencies) -> None:
    """Move the round; before it opens, its targets are checked against the task.

    Raises NotFound, TransitionRefused, RoundHasNoContexts, EnsembleTooSmall, TargetUnfit, GatewayUnavailable.
    """
    _check_reason(command.reason, may_be_blank=True)
    if command.state is RoundState.OPEN:
        _check_targets(command.round_id, app)
    now = app.clock.now()
    with app.unit_of_work() as uow:
        round_, task = uow.rounds.lock(command.round_id)
        before = round_.state
        if command.state is RoundState.OPEN:
            contexts = uow.contexts.count_usable(round_.round_id)
            round_.open(contexts, task.configuration.ensemble, command.person_id, now, command.reason)
        else:
            round_.move_to(command.state, command.person_id, now, command.reason)
        uow.rounds.save(round_)
        if before is not round_.state:
            uow.audit(_state_changed(round_, task, before, command), now)
        uow.commit()


def change_targets(command: ChangeTargets, app: Dependencies) -> None:
    """Put other targets in the loop, once each is known to fit the task; tries under way keep the old ones.

    Raises NotFound, InputRefused, RoundImmutable, RoundWouldBeEmptied, EnsembleTooSmall, TargetUnfit,
    GatewayUnavailable.
    """
    _check_reason(command.reason)
    check_target_names(command.targets)
    with app.unit_of_work() as uow:
        _, task = uow.rounds.get(command.round_id)
    for target in command.targets:
        ensure_fit(target, task.configuration, app)
    now = app.clock.now()
    with app.unit_of_work() as uow:
        round_, task = uow.rounds.lock(command.round_id)
        details = {"from": ", ".join(round_.targets), "to": ", ".join(command.targets)}
        ensemble = task.configuration.ensemble
        is_changed = round_.change_targets(
            command.targets,
            ensemble,
            command.person_id,
            command.reason,
            now,
            may_be_emptied=command.may_be_emptied,
        )
        if is_changed:
            uow.rounds.save(round_)
            uow.audit(_about(round_, task, "targets_changed", command, details), now)
        uow.commit()


def _state_changed(round_: Round, task: Task, before: RoundState, command: ChangeRoundState) -> Action:
    is_reopening = round_.state is RoundState.OPEN and before is RoundState.CLOSED
    done = "reopened" if is_reopening else PAST_TENSE[round_.state]
    return _about(round_, task, done, command, {"from": before.value, "to": round_.state.value})


def _about(
    round_: Round,
    task: Task,
    done: str,
    command: ChangeRoundState | ChangeTargets,
    details: Mapping[str, str],
) -> Action:
    return Action(
        f"round.{done}",
        command.person_id,
        "round",
        round_.round_id,
        task.slug,
        round_.round_id,
        command.reason,
        details,
    )


def _check_reason(reason: str, *, may_be_blank: bool = False) -> None:
    flaw = validate_text(reason, LONGEST_REASON, may_be_blank=may_be_blank)
    if flaw is not None:
        raise InputRefused("reason", flaw.reason, flaw.remedy)


def _check_targets(round_id: RoundId, app: Dependencies) -> None:
    with app.unit_of_work() as uow:
        round_, task = uow.rounds.get(round_id)
    if round_.state is not RoundState.OPEN:
        round_.ensure_can_become(RoundState.OPEN)
        for target in round_.targets:
            ensure_fit(target, task.configuration, app)


def ensure_fit(target: str, configuration: TaskConfiguration, app: Dependencies) -> None:
    """Raise TargetUnfit unless the target is served and published, reads what the task sends, answers as it asks."""
    description = app.gateway.describe(target)
    unfit = find_misfit(description, configuration)
    if unfit is not None:
        raise unfit
    if not description.published:
        raise TargetUnfit(
            target,
            "is not published",
            "Ask its submitter to publish it, or choose another target. If it was published just now, try again in a "
            "few seconds.",
        )
    if not description.ready:
        raise TargetUnfit(target, "is not ready", "Wait until it predicts, then open the round again.")


def find_misfit(description: TargetDescription, configuration: TaskConfiguration) -> TargetUnfit | None:
    """Return why a served model can't be a target of the task, None if it can."""
    target, claimed = description.name, configuration.claimed_field
    if description.task_type not in claimed.answered_by:
        return TargetUnfit(
            target,
            f"is a model for {description.task_type or 'an unknown kind of task'}",
            f"Choose a target whose answers are {claimed.type_name}.",
        )
    if set(description.labels) != set(configuration.labels):
        return TargetUnfit(
            target,
            f"answers with {', '.join(description.labels) or 'no labels'}",
            f"Choose a target that answers with {', '.join(configuration.labels)}.",
        )
    if set(description.fields) != set(configuration.instance_fields):
        return TargetUnfit(
            target,
            f"reads {', '.join(description.fields)}",
            f"Choose one that reads {', '.join(configuration.instance_fields)}, or change `instance`.",
        )
    return None


def check_draft(command: DraftRound) -> None:
    """Raise InputRefused unless title and targets can be kept."""
    flaw = validate_text(command.title, LONGEST_TITLE, may_be_blank=True)
    if flaw is not None:
        raise InputRefused("title", flaw.reason, flaw.remedy)
    check_target_names(command.targets)


def check_target_names(targets: Sequence[str]) -> None:
    """Raise InputRefused if there are too many targets, or one stands twice."""
    if len(targets) > MOST_TARGETS:
        raise InputRefused("targets", f"has {len(targets)} entries", f"Give at most {MOST_TARGETS}.")
    for position, target in enumerate(targets):
        if target in targets[:position]:
            raise InputRefused(f"targets[{position}]", f"repeats {target!r}", "Name each target once.")
