"""Commands on assignments: hand in, give back, decide, end late ones, and follow the platform."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from dynabench_api.words import CampaignState
from dynabench_common.events.audit import Action
from dynabench_common.telemetry.logging import get_logger
from dynabench_events.crowd import AssignmentState

from crowd.adapters.unit_of_work import UnitOfWork
from crowd.adapters.work_done import counted_errors, done_by_assignment
from crowd.domain.assignment import GRACE, LATE_DECISION, Assignment, Why, reason_to_stop
from crowd.domain.campaign import Campaign
from crowd.domain.errors import (
    AssignmentStateRefused,
    AssignmentUnknown,
    ChangeUnderWay,
    TermsRefused,
    UnitsMissing,
)
from crowd.domain.platforms import CrowdPlatform, RejectionCategory, StudyUnknown, Submission, SubmissionState
from crowd.service_layer.campaigns import (
    SetState,
    close_books,
    is_paused_there,
    on_platform,
    pause_with_study,
    set_state,
)
from crowd.service_layer.dependencies import Dependencies

log = get_logger(__name__)
HANDED_IN = (AssignmentState.SUBMITTED, AssignmentState.APPROVED)
ON_PLATFORM = "decided on the platform"
FOLLOWED = {
    SubmissionState.SUBMITTED: (AssignmentState.SUBMITTED,),
    SubmissionState.APPROVED: (AssignmentState.SUBMITTED, AssignmentState.APPROVED),
    SubmissionState.REJECTED: (AssignmentState.SUBMITTED, AssignmentState.REJECTED),
    SubmissionState.RETURNED: (AssignmentState.RETURNED,),
    SubmissionState.TIMED_OUT: (AssignmentState.TIMED_OUT,),
    SubmissionState.SCREENED_OUT: (AssignmentState.SCREENED_OUT,),
}
"""States that an assignment goes through to follow the platform's state of its submission."""


@dataclass(frozen=True)
class Finish:
    """A person hands the work in; `nothing_left` says that the pages had no more work."""

    assignment_id: UUID
    person_id: UUID
    nothing_left: bool


def finish(command: Finish, app: Dependencies) -> None:
    """Hand in work that is complete, or that can't go on; again changes nothing.

    Raises AssignmentUnknown, AssignmentStateRefused, UnitsMissing.
    """
    with app.unit_of_work() as uow:
        campaign, assignment = _locked(uow, command.assignment_id, command.person_id)
        if assignment.state is AssignmentState.APPROVED:
            return
        done = done_by_assignment(uow.connection, [assignment.assignment_id])[assignment.assignment_id].units
        why = None
        if done < campaign.terms.units and assignment.state is AssignmentState.WORKING:
            why = reason_to_stop(
                campaign, uow.rounds.get(campaign.round_id).state, is_empty=command.nothing_left
            )
            if why is None:
                raise UnitsMissing(done, campaign.terms.units)
        _change(uow, campaign, assignment, AssignmentState.SUBMITTED, app.clock.now(), why)
        uow.commit()


def give_back(assignment_id: UUID, person_id: UUID, app: Dependencies) -> None:
    """Give the place back. Raises AssignmentUnknown, AssignmentStateRefused."""
    with app.unit_of_work() as uow:
        campaign, assignment = _locked(uow, assignment_id, person_id)
        if assignment.state is AssignmentState.SUBMITTED:
            raise AssignmentStateRefused(assignment.state, AssignmentState.RETURNED)
        _change(uow, campaign, assignment, AssignmentState.RETURNED, app.clock.now())
        uow.commit()


@dataclass(frozen=True)
class Decide:
    """An owner approves, screens out or, with category and reason, rejects."""

    assignment_id: UUID
    actor_id: UUID
    state: AssignmentState
    category: RejectionCategory | None = None
    reason: str | None = None


def decide(command: Decide, app: Dependencies) -> None:
    """Enter a decision; the same one again changes nothing.

    A rejection that the platform has reported first gets the owner's category and reason. Raises AssignmentUnknown,
    AssignmentStateRefused, ChangeUnderWay, TermsRefused, PlatformRefused, PlatformSilent.
    """
    with app.unit_of_work() as claim:
        claim.exclude_others(command.assignment_id)
        campaign, assignment = _found(claim, command.assignment_id)
        if assignment.state is not command.state:
            _prepare_decision(command, campaign, assignment, app)
        _enter_decision(command, app)


def _enter_decision(command: Decide, app: Dependencies) -> None:
    with app.unit_of_work() as uow:
        campaign, assignment = _locked(uow, command.assignment_id)
        gives_reason = command.category is not None and assignment.rejection_category is None
        if gives_reason:
            assignment.rejection_category, assignment.why = command.category, command.reason
            uow.assignments.save(assignment)
        now = app.clock.now()
        if _change(uow, campaign, assignment, command.state, now) or gives_reason:
            uow.audit(
                Action(
                    f"assignment.{command.state}",
                    command.actor_id,
                    "assignment",
                    assignment.assignment_id,
                    task_slug=campaign.task_slug,
                    round_id=campaign.round_id,
                    reason=command.reason or "",
                ),
                now,
            )
        uow.commit()


def _prepare_decision(command: Decide, campaign: Campaign, assignment: Assignment, app: Dependencies) -> None:
    """Refuse a decision that can't be made, and send a rejection to the platform."""
    if not assignment.can_become(command.state):
        raise AssignmentStateRefused(assignment.state, command.state)
    if command.state is AssignmentState.SCREENED_OUT and not campaign.terms.screen_out_minor:
        reason = "the campaign pays nothing to people who are screened out"
        raise TermsRefused(
            "screen_out_minor", reason, "Let the person finish, or ask them to return the work."
        )
    if command.category is not None:
        platform, category = app.platform(campaign.platform), command.category
        study_id, reason = campaign.study_id or "", command.reason or ""
        on_platform(platform, lambda: platform.reject(study_id, assignment.submission_id, category, reason))


def approve_all(campaign_id: UUID, actor_id: UUID, app: Dependencies) -> int:
    """Approve the complete work that was handed in, and return the number. Raises CampaignUnknown.

    Work with fewer units waits for the owner to look at it, unless the round has ended under it.
    """
    with app.unit_of_work() as uow:
        units = uow.campaigns.get(campaign_id).terms.units
        submitted = uow.assignments.submitted(campaign_id)
        done = done_by_assignment(uow.connection, submitted)
        ended = uow.assignments.handed_in_for(submitted, Why.ROUND_ENDED)
    waiting = [
        each for each in submitted if done[each].units >= units or (each in ended and done[each].units)
    ]
    approved = 0
    for assignment_id in waiting:
        try:
            decide(Decide(assignment_id, actor_id, AssignmentState.APPROVED), app)
            approved += 1
        except (AssignmentStateRefused, ChangeUnderWay):
            continue
    return approved


def end_late(app: Dependencies) -> bool:
    """End assignments whose time has passed; return whether there were any."""
    now = app.clock.now()
    with app.unit_of_work() as uow:
        late = uow.assignments.late(now - GRACE)
    for assignment_id in late:
        with app.unit_of_work() as uow:
            campaign, assignment = _locked(uow, assignment_id)
            if assignment.is_late(now):
                _change(uow, campaign, assignment, AssignmentState.TIMED_OUT, now)
            uow.commit()
    return bool(late)


def follow_platforms(app: Dependencies) -> bool:
    """Carry on with launches that were cut off, and ask the platforms about all open work."""
    resume_launches(app)
    with app.unit_of_work() as uow:
        campaigns = uow.campaigns.with_open_work()
    return reconcile(campaigns, app)


def follow_late_decisions(app: Dependencies) -> bool:
    """Ask the platforms about all work that they may still decide on."""
    with app.unit_of_work() as uow:
        campaigns = uow.campaigns.with_late_decisions(app.clock.now() - LATE_DECISION)
    return reconcile(campaigns, app)


def reconcile(campaigns: Iterable[Campaign], app: Dependencies) -> bool:
    """Ask the platforms about the work of these campaigns, and follow their answers."""
    for campaign in campaigns:
        platform = app.platforms.get(campaign.platform)
        if platform is None or campaign.study_id is None:
            continue
        try:
            _follow_all(campaign, _submissions(campaign.study_id, platform), app)
            _pause_campaign(campaign, platform, app)
        except Exception as err:
            log.warning("reconciliation_postponed", campaign=str(campaign.campaign_id), reason=str(err)[:300])
    return False


def _submissions(study_id: str, platform: CrowdPlatform) -> Iterable[Submission]:
    """Return the submissions of a study; none if the platform has no such study any more."""
    try:
        return platform.submissions(study_id)
    except StudyUnknown:
        return ()


def resume_launches(app: Dependencies) -> None:
    """Resume interrupted launches, so that nobody is invited to a draft."""
    with app.unit_of_work() as uow:
        cut_off = uow.campaigns.cut_off(app.clock.now())
    for campaign_id in cut_off:
        try:
            set_state(SetState(campaign_id, None, CampaignState.RUNNING), app)
        except Exception as err:
            log.warning("launch_postponed", campaign=str(campaign_id), reason=str(err)[:300])


def _pause_campaign(campaign: Campaign, platform: CrowdPlatform, app: Dependencies) -> None:
    """Pause a running campaign if its round takes no such work, or if its study was paused or deleted there."""
    if campaign.state is not CampaignState.RUNNING:
        return
    with app.unit_of_work() as uow:
        takes_work = campaign.takes_work(uow.rounds.get(campaign.round_id).state)
    if not takes_work:
        set_state(SetState(campaign.campaign_id, None, CampaignState.PAUSED), app)
    elif is_paused_there(campaign, platform):
        pause_with_study(campaign.campaign_id, app)


def _follow_all(campaign: Campaign, submissions: Iterable[Submission], app: Dependencies) -> None:
    """Bring assignments to the platform's states of their submissions."""
    with app.unit_of_work() as uow:
        known = uow.assignments.by_submission(campaign.campaign_id)
    for submission in submissions:
        wanted, assignment = FOLLOWED.get(submission.state, ()), known.get(submission.submission_id)
        if assignment is not None and _can_follow(assignment, wanted):
            follow_submission(assignment.assignment_id, submission.state, app)


def _can_follow(assignment: Assignment, wanted: Iterable[AssignmentState]) -> bool:
    return any(assignment.can_become(state, by_platform=True) for state in wanted)


def follow_submission(assignment_id: UUID, there: SubmissionState, app: Dependencies) -> None:
    """Let an assignment follow the platform's state of its submission, as far as it can."""
    with app.unit_of_work() as uow:
        campaign, assignment = _locked(uow, assignment_id)
        now = app.clock.now()
        for state in FOLLOWED.get(there, ()):
            if assignment.can_become(state, by_platform=True):
                why = {
                    AssignmentState.SUBMITTED: _missing(uow, campaign, assignment),
                    AssignmentState.REJECTED: ON_PLATFORM,
                }
                _change(uow, campaign, assignment, state, now, why.get(state), by_platform=True)
        uow.commit()


def _missing(uow: UnitOfWork, campaign: Campaign, assignment: Assignment) -> Why | None:
    done = done_by_assignment(uow.connection, [assignment.assignment_id])[assignment.assignment_id].units
    return Why.HANDED_IN_THERE if done < campaign.terms.units else None


def _locked(
    uow: UnitOfWork, assignment_id: UUID, person_id: UUID | None = None
) -> tuple[Campaign, Assignment]:
    """Return an assignment with its campaign, locked. Raises AssignmentUnknown, also for somebody else's."""
    campaign, found = _found(uow, assignment_id)
    if person_id not in (None, found.person_id):
        raise AssignmentUnknown
    return uow.campaigns.lock(campaign.campaign_id), uow.assignments.lock(assignment_id)


def _found(uow: UnitOfWork, assignment_id: UUID) -> tuple[Campaign, Assignment]:
    """Return an assignment with its campaign. Raises AssignmentUnknown."""
    found = uow.assignments.find(assignment_id)
    if found is None:
        raise AssignmentUnknown
    return uow.campaigns.get(found.campaign_id), found


def _change(
    uow: UnitOfWork,
    campaign: Campaign,
    assignment: Assignment,
    state: AssignmentState,
    now: datetime,
    why: str | None = None,
    *,
    by_platform: bool = False,
) -> bool:
    """Change a state with the money that follows; return whether it was another. Raises AssignmentStateRefused."""
    if assignment.state is state:
        return False
    assignment.become(state, now, why, by_platform=by_platform)
    uow.assignments.save(assignment)
    uow.ledger.follow_state(assignment.assignment_id, now)
    if state in HANDED_IN:
        for example_id in counted_errors(uow.connection, assignment.assignment_id):
            uow.ledger.owe_bonus(assignment.assignment_id, example_id, now)
    close_books(uow, campaign, now)
    return True
