"""Routes about evidence of unfair work: what was found, the owner's decision, and the person's appeal."""

from dynabench_api.crowd import EvidenceAnswer, FairPlayAnswer, WorkAnswer
from dynabench_common.auth.permissions import Permission, requires, signed_in_person
from dynabench_common.http.service import json_response
from flask import Response
from flask_openapi import APIBlueprint

from crowd.entrypoints.http.access import campaign_of_assignment, dependencies, owned_campaign, works
from crowd.entrypoints.http.schemas import AppealBody, AssignmentPath, CampaignPath, FairPlayBody
from crowd.queries.evidence import evidence_of_campaign
from crowd.service_layer.reviews import AppealExclusion, DecideReview, appeal_exclusion, decide_review

blueprint = APIBlueprint("fair_play", __name__, url_prefix="/api/crowd/v1")


@blueprint.get("/campaigns/<campaign_id>/evidence", responses={200: EvidenceAnswer})
@requires(Permission.MANAGE_CAMPAIGNS)
def get_evidence(path: CampaignPath) -> Response:
    """Show evidence for review: people whose work stands out, each figure with its base rate. It decides nothing."""
    campaign = owned_campaign(path.campaign_id)
    return json_response(evidence_of_campaign(campaign, dependencies().engine))


@blueprint.put("/assignments/<assignment_id>/fair-play", responses={200: FairPlayAnswer})
@requires(Permission.MANAGE_CAMPAIGNS)
def put_fair_play(path: AssignmentPath, body: FairPlayBody) -> Response:
    """Find no concern, or exclude the person from the task's campaigns. The next decision answers an appeal.

    Work that was done stays, and what is owed for it is paid.
    """
    campaign_of_assignment(path.assignment_id)
    command = DecideReview(path.assignment_id, signed_in_person(), body.decision, body.reason)
    return json_response(FairPlayAnswer.model_validate(decide_review(command, dependencies())))


@blueprint.post("/assignments/<assignment_id>/appeal", responses={200: WorkAnswer})
@requires(Permission.DO_PAID_WORK)
def post_appeal(path: AssignmentPath, body: AppealBody) -> Response:
    """Appeal once against your exclusion. The owner of the task answers."""
    appeal_exclusion(AppealExclusion(path.assignment_id, signed_in_person(), body.text), dependencies())
    return json_response(works().one(path.assignment_id))
