"""Routes of workers: the offer, the entry, and their own assignments; and webhooks of platforms."""

from dynabench_api.crowd import CampaignOffer, CrowdSession, EntryAnswer, OwnWork, WorkAnswer
from dynabench_common.auth.permissions import Permission, requires, signed_in_person
from dynabench_common.http.service import json_response
from flask import Response, request
from flask_openapi import APIBlueprint

from crowd.domain.errors import PlatformUnknown, WebhookForged
from crowd.domain.platforms import EntryRefused
from crowd.entrypoints.http.access import dependencies, works
from crowd.entrypoints.http.schemas import (
    AssignmentPath,
    CampaignPath,
    CompletionBody,
    EntryBody,
    PlatformPath,
)
from crowd.queries.work import campaign_offer
from crowd.service_layer.assignments import Finish, finish, give_back, reconcile
from crowd.service_layer.campaigns import on_platform
from crowd.service_layer.entries import AcceptEntry, accept_entry

blueprint = APIBlueprint("work", __name__, url_prefix="/api/crowd/v1")


@blueprint.get("/campaigns/<campaign_id>/offer", responses={200: CampaignOffer})
@requires(Permission.READ_PUBLIC)
def get_offer(path: CampaignPath) -> Response:
    """Return what a person reads before they accept the work."""
    app = dependencies()
    return json_response(campaign_offer(path.campaign_id, app.engine, app.platforms))


@blueprint.post("/entries", responses={201: EntryAnswer})
@requires(Permission.ACCEPT_ENTRIES)
def post_entry(body: EntryBody) -> Response:
    """Accept the work for a person whom the platform sent. The same person gets the same assignment again."""
    accepted = accept_entry(AcceptEntry(**body.model_dump()), dependencies())
    return json_response(
        EntryAnswer(
            work=works().one(accepted.assignment_id),
            session=CrowdSession.model_validate(accepted.session),
        ),
        201,
    )


@blueprint.get("/me/assignments", responses={200: OwnWork})
@requires(Permission.DO_PAID_WORK)
def get_own_work() -> Response:
    """List one's own assignments, newest first."""
    return json_response(OwnWork(items=works().of_person(signed_in_person())))


@blueprint.put("/assignments/<assignment_id>/completion", responses={200: WorkAnswer})
@requires(Permission.DO_PAID_WORK)
def put_completion(path: AssignmentPath, body: CompletionBody) -> Response:
    """Hand in one's work and get the completion code. Work that can't go on is handed in with fewer units."""
    finish(Finish(path.assignment_id, signed_in_person(), body.nothing_left), dependencies())
    return json_response(works().one(path.assignment_id))


@blueprint.put("/assignments/<assignment_id>/return", responses={200: WorkAnswer})
@requires(Permission.DO_PAID_WORK)
def put_return(path: AssignmentPath) -> Response:
    """Give one's place back to others."""
    give_back(path.assignment_id, signed_in_person(), dependencies())
    return json_response(works().one(path.assignment_id))


@blueprint.post("/webhooks/<platform>", responses={204: None, 202: None})
@requires(Permission.READ_PUBLIC)
def post_webhook(path: PlatformPath) -> Response:
    """Take a platform's notice that submissions of a study have changed. Its signature is checked."""
    needed = dependencies()
    platform = needed.platforms.get(path.platform)
    if platform is None:
        raise PlatformUnknown
    try:
        headers, notice = dict(request.headers), request.get_data()
        study_id = on_platform(platform, lambda: platform.read_notice(headers, notice))
    except EntryRefused as err:
        raise WebhookForged(str(err)) from err
    with needed.unit_of_work() as uow:
        campaign_id = None if study_id is None else uow.campaigns.of_study(platform.name, study_id)
        campaigns = [] if campaign_id is None else [uow.campaigns.get(campaign_id)]
    if not campaigns:
        return Response(status=202)
    reconcile(campaigns, needed)
    return Response(status=204)
