"""Reads of workers: the offer of a campaign, and their own assignments."""

from uuid import UUID

from dynabench_api.crowd import CampaignOffer, WorkAnswer
from dynabench_events.crowd import AssignmentState
from sqlalchemy import ColumnElement, select

from crowd.adapters.assignments import ASSIGNMENTS, to_assignment
from crowd.adapters.campaigns import to_campaign
from crowd.adapters.tables import assignment, campaign
from crowd.adapters.unit_of_work import UnitOfWork
from crowd.adapters.work_done import done_by_assignment
from crowd.domain.assignment import Assignment
from crowd.domain.campaign import Campaign
from crowd.domain.errors import AssignmentUnknown
from crowd.domain.platforms import CodeAction
from crowd.domain.states import CampaignState
from crowd.queries.estimates import typical_minutes
from crowd.service_layer.assignments import reason_to_stop
from crowd.service_layer.dependencies import Dependencies

MOST_OWN = 50
CODES = {
    AssignmentState.SUBMITTED: CodeAction.REVIEW,
    AssignmentState.APPROVED: CodeAction.REVIEW,
    AssignmentState.SCREENED_OUT: CodeAction.SCREEN_OUT,
    AssignmentState.RETURNED: CodeAction.RETURN,
}
"""The completion code of each state."""


def campaign_offer(campaign_id: UUID, app: Dependencies) -> CampaignOffer:
    """Return what a person reads before they accept. Raises CampaignUnknown."""
    with app.unit_of_work() as uow:
        found = uow.campaigns.get(campaign_id)
        of_round = uow.rounds.get(found.round_id)
        is_open = (
            found.state is CampaignState.RUNNING
            and found.takes_work(of_round.state)
            and uow.assignments.taken_places(campaign_id) < found.terms.places
        )
        return CampaignOffer(
            **vars(found.terms),
            campaign_id=campaign_id,
            task=found.task_slug,
            task_title=of_round.task_title,
            state=found.state,
            typical_minutes=typical_minutes(uow.connection, found),
            is_open=is_open,
        )


def work_answer(assignment_id: UUID, app: Dependencies) -> WorkAnswer:
    """Return an assignment as its worker sees it. Raises AssignmentUnknown."""
    found = _works(assignment.c.assignment_id == assignment_id, app)
    if not found:
        raise AssignmentUnknown
    return found[0]


def own_work(person_id: UUID, app: Dependencies) -> tuple[WorkAnswer, ...]:
    """Return a person's assignments, newest first."""
    return _works(assignment.c.person_id == person_id, app)


def _works(condition: ColumnElement[bool], app: Dependencies) -> tuple[WorkAnswer, ...]:
    newest = ASSIGNMENTS.where(condition).order_by(assignment.c.assignment_id.desc()).limit(MOST_OWN)
    with app.unit_of_work() as uow:
        found = [to_assignment(row) for row in uow.connection.execute(newest)]
        of_campaigns = select(campaign).where(
            campaign.c.campaign_id.in_([each.campaign_id for each in found])
        )
        campaigns = {row.campaign_id: to_campaign(row) for row in uow.connection.execute(of_campaigns)}
        return tuple(_work(each, campaigns[each.campaign_id], uow, app) for each in found)


def _work(work: Assignment, of: Campaign, uow: UnitOfWork, app: Dependencies) -> WorkAnswer:
    done = done_by_assignment(uow.connection, [work.assignment_id])[work.assignment_id].units
    is_working = work.state is AssignmentState.WORKING
    stops = reason_to_stop(of, uow.rounds.get(of.round_id).state, is_empty=False)
    code = of.codes[CODES[work.state]] if work.state in CODES else None
    platform = app.platforms.get(of.platform)
    back_url = None
    if platform is not None and code is not None:
        back_url = platform.back_url(of.study_id or "", work.submission_id, code, work.parameters)
    return WorkAnswer(
        assignment_id=work.assignment_id,
        campaign_id=of.campaign_id,
        task=of.task_slug,
        round_id=of.round_id,
        work=of.terms.work,
        state=work.state,
        units=of.terms.units,
        done=min(done, of.terms.units),
        reward_minor=of.terms.reward_minor,
        bonus_minor=of.terms.bonus_minor,
        currency=of.currency,
        deadline=work.deadline,
        can_finish=is_working and (done >= of.terms.units or stops is not None),
        why=stops if is_working and done < of.terms.units else work.why,
        code=code,
        back_url=back_url,
    )
