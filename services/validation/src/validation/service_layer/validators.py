"""A validator's standing in a task: permission to go on, notices, the owner's decision, an appeal."""

from dataclasses import dataclass

from dynabench_common.events.audit import Action, action_taken

from validation.adapters.unit_of_work import UnitOfWork
from validation.domain.example_validation import ExampleValidation
from validation.domain.identifiers import PersonId, RoundId
from validation.domain.validators import PAUSE_AT, WINDOW, Validator, ValidatorState
from validation.domain.votes import Vote
from validation.service_layer.dependencies import Dependencies

TOO_FAST = "too_fast"


def is_paused(uow: UnitOfWork, round_id: RoundId, person_id: PersonId) -> bool:
    """Return whether the person may not validate in the round's task for now."""
    validator = uow.validators.in_round(round_id, person_id)
    return validator is not None and validator.state is ValidatorState.PAUSED


def ensure_may_validate(uow: UnitOfWork, round_id: RoundId, person_id: PersonId) -> None:
    """Refuse a paused or untrained person, and make another a validator of the round's task.

    Raises OnboardingNeeded, ValidationPaused.
    """
    uow.ensure_onboarded(round_id, person_id)
    validator = uow.validators.in_round(round_id, person_id)
    if validator is not None:
        validator.ensure_may_validate()
        if not validator.is_enrolled:
            uow.validators.enrol(validator)


def notice_after(uow: UnitOfWork, validation: ExampleValidation, vote: Vote) -> dict[str, str] | None:
    """Return the notice to the voter of a failed known item, if that shows, or of a vote too fast to count."""
    return _of_known_items(uow, validation.round_id, vote) or _of_haste(validation, vote)


def _of_haste(validation: ExampleValidation, vote: Vote) -> dict[str, str] | None:
    if not validation.is_too_fast(vote):
        return None
    text = (
        "That was quicker than anyone can read, so this vote does not count. No harm done: take your time on the "
        "next one."
    )
    return {"kind": TOO_FAST, "text": text}


def _of_known_items(uow: UnitOfWork, round_id: RoundId, vote: Vote) -> dict[str, str] | None:
    if not uow.gold_showings.is_failed(vote.vote_id):
        return None
    validator = uow.validators.in_round(round_id, vote.voter_id)
    if validator is None or validator.state is ValidatorState.ACTIVE:
        return None
    return {"kind": validator.state.value, "text": _text(validator)}


def _text(validator: Validator) -> str:
    missed = f"You missed {validator.failures} of your last {WINDOW} known answers"
    if validator.state is ValidatorState.PAUSED:
        return f"{missed}, so your checking in this task is paused. You can appeal; its owner decides."
    return f"{missed}. Please read the guidelines again. At {PAUSE_AT}, your checking in this task is paused."


@dataclass(frozen=True)
class DecideValidator:
    """An owner allows or forbids a person to validate in the task, with a reason."""

    task_slug: str
    person_id: PersonId
    is_paused: bool
    reason: str
    owner_id: PersonId

    def action(self) -> Action:
        """Return the entry of the audit log."""
        return Action(
            action="validator.paused" if self.is_paused else "validator.reinstated",
            actor_id=self.owner_id,
            object_kind="person",
            object_id=self.person_id,
            task_slug=self.task_slug,
            reason=self.reason,
        )


def decide_validator(command: DecideValidator, app: Dependencies) -> Validator:
    """Store the decision, which answers an appeal. Raises TaskUnknown or ValidatorUnknown."""
    with app.unit_of_work() as uow:
        task = uow.tasks.named(command.task_slug)
        validator = uow.validators.lock(task.task_id, command.person_id)
        now = app.clock.now()
        decided = validator.decide(is_paused=command.is_paused, reason=command.reason, now=now)
        uow.validators.save(decided)
        uow.record([action_taken(command.action(), now)])
        uow.commit()
        return decided


@dataclass(frozen=True)
class AppealPause:
    """A paused person appeals against the pause, with a reason."""

    round_id: RoundId
    person_id: PersonId
    reason: str


def appeal_pause(command: AppealPause, app: Dependencies) -> Validator:
    """Store the appeal, one for each pause.

    Raises RoundUnknown, ValidatorUnknown, NotPaused or AlreadyAppealedPause.
    """
    with app.unit_of_work() as uow:
        task = uow.tasks.of_round(command.round_id)
        validator = uow.validators.lock(task.task_id, command.person_id)
        appealing = validator.appeal(command.reason, app.clock.now())
        uow.validators.save(appealing)
        uow.commit()
        return appealing
