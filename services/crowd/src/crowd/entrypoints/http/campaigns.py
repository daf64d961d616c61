"""Routes of owners about campaigns."""

from dynabench_api.base import Record
from dynabench_api.crowd import CampaignAnswer, PlatformAnswer
from dynabench_api.words import CampaignState
from dynabench_common.auth.permissions import Permission, requires, signed_in_person
from dynabench_common.http.idempotency import KeyedRequest, fingerprint
from dynabench_common.http.service import idempotency_key, json_response
from flask import Response
from flask_openapi import APIBlueprint

from crowd.entrypoints.http.access import campaigns, dependencies, owned_campaign, owned_round
from crowd.entrypoints.http.schemas import CampaignBody, CampaignPath, PlacesBody, RoundPath, StateBody
from crowd.service_layer.campaigns import (
    AddPlaces,
    DraftCampaign,
    SetState,
    add_places,
    change_draft,
    delete_draft,
    draft_campaign,
    set_state,
)

blueprint = APIBlueprint("campaigns", __name__, url_prefix="/api/crowd/v1")


class PlatformList(Record):
    """The connected platforms."""

    items: tuple[PlatformAnswer, ...]


class CampaignList(Record):
    """A round's campaigns, newest first."""

    items: tuple[CampaignAnswer, ...]


@blueprint.get("/platforms", responses={200: PlatformList})
@requires(Permission.MANAGE_CAMPAIGNS)
def get_platforms() -> Response:
    """List the crowd platforms that the operator has connected."""
    platforms = dependencies().platforms.values()
    return json_response(PlatformList(items=tuple(map(PlatformAnswer.model_validate, platforms))))


@blueprint.post("/rounds/<round_id>/campaigns", responses={201: CampaignAnswer})
@requires(Permission.MANAGE_CAMPAIGNS)
def post_campaign(path: RoundPath, body: CampaignBody) -> Response:
    """Draft a campaign. A repeated Idempotency-Key returns the first one."""
    owned_round(path.round_id)
    actor_id = signed_in_person()
    request = KeyedRequest(
        actor_id, f"campaign:{path.round_id}", idempotency_key(), fingerprint(body.model_dump(mode="json"))
    )
    campaign_id = draft_campaign(
        DraftCampaign(path.round_id, actor_id, body.terms(), request), dependencies()
    )
    return json_response(campaigns().one(campaign_id), 201)


@blueprint.get("/rounds/<round_id>/campaigns", responses={200: CampaignList})
@requires(Permission.MANAGE_CAMPAIGNS)
def get_campaigns(path: RoundPath) -> Response:
    """List the round's campaigns, newest first."""
    owned_round(path.round_id)
    return json_response(CampaignList(items=campaigns().of_round(path.round_id)))


@blueprint.get("/campaigns/<campaign_id>", responses={200: CampaignAnswer})
@requires(Permission.MANAGE_CAMPAIGNS)
def get_campaign(path: CampaignPath) -> Response:
    """Return a campaign with its progress and money."""
    owned_campaign(path.campaign_id)
    return json_response(campaigns().one(path.campaign_id))


@blueprint.put("/campaigns/<campaign_id>", responses={200: CampaignAnswer})
@requires(Permission.MANAGE_CAMPAIGNS)
def put_campaign(path: CampaignPath, body: CampaignBody) -> Response:
    """Replace the terms of a draft."""
    owned_campaign(path.campaign_id)
    change_draft(path.campaign_id, body.terms(), dependencies())
    return json_response(campaigns().one(path.campaign_id))


@blueprint.delete("/campaigns/<campaign_id>", responses={204: None})
@requires(Permission.MANAGE_CAMPAIGNS)
def delete_campaign(path: CampaignPath) -> Response:
    """Delete a draft."""
    owned_campaign(path.campaign_id)
    delete_draft(path.campaign_id, dependencies())
    return Response(status=204)


@blueprint.put("/campaigns/<campaign_id>/state", responses={200: CampaignAnswer})
@requires(Permission.MANAGE_CAMPAIGNS)
def put_state(path: CampaignPath, body: StateBody) -> Response:
    """Launch, pause, resume or end the campaign. People who have accepted finish their work in any case."""
    owned_campaign(path.campaign_id)
    set_state(SetState(path.campaign_id, signed_in_person(), CampaignState(body.state)), dependencies())
    return json_response(campaigns().one(path.campaign_id))


@blueprint.put("/campaigns/<campaign_id>/places", responses={200: CampaignAnswer})
@requires(Permission.MANAGE_CAMPAIGNS)
def put_places(path: CampaignPath, body: PlacesBody) -> Response:
    """Add places. The number never becomes smaller."""
    owned_campaign(path.campaign_id)
    add_places(AddPlaces(path.campaign_id, signed_in_person(), body.places), dependencies())
    return json_response(campaigns().one(path.campaign_id))
