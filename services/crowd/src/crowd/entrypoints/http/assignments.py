"""Routes of owners about people's assignments."""

from uuid import UUID

from dynabench_api.crowd import ApprovedAnswer, AssignmentAnswer, AssignmentPage
from dynabench_common.auth.permissions import Permission, requires, signed_in_person
from dynabench_common.http.schemas import cursor_id, cut_page, page_start
from dynabench_common.http.service import json_response
from dynabench_events.crowd import AssignmentState
from flask import Response
from flask_openapi import APIBlueprint

from crowd.entrypoints.http.access import campaign_of_assignment, dependencies, owned_campaign
from crowd.entrypoints.http.schemas import AssignmentPath, AssignmentsQuery, CampaignPath, RejectionBody
from crowd.queries.assignments import assignment_answer, assignments_of_campaign
from crowd.service_layer.assignments import Decide, approve_all, decide

blueprint = APIBlueprint("assignments", __name__, url_prefix="/api/crowd/v1")


@blueprint.get("/campaigns/<campaign_id>/assignments", responses={200: AssignmentPage})
@requires(Permission.MANAGE_CAMPAIGNS)
def get_assignments(path: CampaignPath, query: AssignmentsQuery) -> Response:
    """List the campaign's assignments, newest first."""
    owned_campaign(path.campaign_id)
    before = page_start(query.cursor, cursor_id)
    found = assignments_of_campaign(
        path.campaign_id, query.state, query.limit + 1, before, dependencies().engine
    )
    items, cursor = cut_page(found, query.limit, lambda each: each.assignment_id)
    return json_response(AssignmentPage(items=tuple(items), next_cursor=cursor))


@blueprint.post("/campaigns/<campaign_id>/approvals", responses={200: ApprovedAnswer})
@requires(Permission.MANAGE_CAMPAIGNS)
def post_approvals(path: CampaignPath) -> Response:
    """Approve everything that was handed in."""
    owned_campaign(path.campaign_id)
    approved = approve_all(path.campaign_id, signed_in_person(), dependencies())
    return json_response(ApprovedAnswer(approved=approved))


@blueprint.put("/assignments/<assignment_id>/approval", responses={200: AssignmentAnswer})
@requires(Permission.MANAGE_CAMPAIGNS)
def put_approval(path: AssignmentPath) -> Response:
    """Approve work that was handed in. The platform then pays the reward."""
    return _decided(path.assignment_id, AssignmentState.APPROVED, None)


@blueprint.put("/assignments/<assignment_id>/rejection", responses={200: AssignmentAnswer})
@requires(Permission.MANAGE_CAMPAIGNS)
def put_rejection(path: AssignmentPath, body: RejectionBody) -> Response:
    """Reject work that was handed in. The person reads the reason, and nothing is paid."""
    return _decided(path.assignment_id, AssignmentState.REJECTED, body)


@blueprint.put("/assignments/<assignment_id>/screen-out", responses={200: AssignmentAnswer})
@requires(Permission.MANAGE_CAMPAIGNS)
def put_screen_out(path: AssignmentPath) -> Response:
    """Screen out a person who does not fit. The campaign's fixed amount for that is paid."""
    return _decided(path.assignment_id, AssignmentState.SCREENED_OUT, None)


def _decided(assignment_id: UUID, state: AssignmentState, body: RejectionBody | None) -> Response:
    campaign_of_assignment(assignment_id)
    category, reason = (body.category, body.reason) if body else (None, None)
    decide(Decide(assignment_id, signed_in_person(), state, category, reason), dependencies())
    return json_response(assignment_answer(assignment_id, dependencies().engine))
