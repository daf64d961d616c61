"""Commands on evidence: the owner's decision about a person, and the person's appeal."""

from dataclasses import dataclass
from uuid import UUID

from dynabench_api.words import FairPlayDecision
from dynabench_common.events.audit import Action

from crowd.adapters.unit_of_work import UnitOfWork
from crowd.domain.assignment import Assignment
from crowd.domain.errors import AppealRefused, AssignmentUnknown
from crowd.domain.review import Review
from crowd.service_layer.dependencies import Dependencies


@dataclass(frozen=True)
class DecideReview:
    """An owner finds no concern, or excludes the person from the task's campaigns, with a reason."""

    assignment_id: UUID
    actor_id: UUID
    decision: FairPlayDecision
    reason: str


def decide_review(command: DecideReview, app: Dependencies) -> Review:
    """Store the decision, which answers an appeal. What the person has done and is owed stays.

    Raises AssignmentUnknown.
    """
    with app.unit_of_work() as uow:
        assignment, now = uow.assignments.lock(command.assignment_id), app.clock.now()
        review = uow.reviews.get(command.assignment_id)
        if review is None:
            review = Review(
                assignment_id=command.assignment_id,
                decision=command.decision,
                reason=command.reason,
                decided_at=now,
            )
        else:
            review.decide(command.decision, command.reason, now)
        uow.reviews.save(review)
        uow.audit(_action(command.decision, command.actor_id, assignment, uow, command.reason), now)
        uow.commit()
    return review


@dataclass(frozen=True)
class AppealExclusion:
    """An excluded person appeals against the decision, with a reason."""

    assignment_id: UUID
    person_id: UUID
    text: str


def appeal_exclusion(command: AppealExclusion, app: Dependencies) -> None:
    """Store the appeal, once, and report it. Raises AssignmentUnknown, also for somebody else's; AppealRefused."""
    with app.unit_of_work() as uow:
        assignment, now = uow.assignments.lock(command.assignment_id), app.clock.now()
        if assignment.person_id != command.person_id:
            raise AssignmentUnknown
        review = uow.reviews.get(command.assignment_id)
        if review is None:
            raise AppealRefused
        review.make_appeal(command.text, now)
        uow.reviews.save(review)
        assignment.exclusion_appealed(uow.campaigns.get(assignment.campaign_id).task_slug, now)
        uow.assignments.save(assignment)
        uow.audit(_action("appealed", command.person_id, assignment, uow), now)
        uow.commit()


def _action(what: str, actor_id: UUID, assignment: Assignment, uow: UnitOfWork, reason: str = "") -> Action:
    return Action(
        f"assignment.{what}",
        actor_id,
        "assignment",
        assignment.assignment_id,
        task_slug=uow.campaigns.get(assignment.campaign_id).task_slug,
        round_id=assignment.round_id,
        reason=reason,
    )
