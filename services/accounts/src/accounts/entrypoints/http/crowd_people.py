"""Routes about people of campaigns, whom only the crowd service may admit."""

from dynabench_api.crowd import CrowdSession
from dynabench_common.auth.permissions import Permission, requires
from dynabench_common.http.service import json_response
from flask import Response
from flask_openapi import APIBlueprint

from accounts.entrypoints.http.dependencies import dependencies
from accounts.entrypoints.http.schemas import PersonPath, WorkSessionBody
from accounts.service_layer.sessions import AdmitToWork, admit_to_work

blueprint = APIBlueprint("crowd_people", __name__, url_prefix="/api/accounts/v1")


@blueprint.post("/crowd-people/<person_id>/sessions", responses={200: CrowdSession})
@requires(Permission.ADMIT_CROWD)
def post_work_session(path: PersonPath, body: WorkSessionBody) -> Response:
    """Start a session of a person of a campaign, who has no mail address, password or name.

    The first session makes the person. The refresh token works as in the cookie of a sign-in.
    """
    admitted = admit_to_work(AdmitToWork(path.person_id, body.minutes, body.task_slug), dependencies())
    answer = CrowdSession(
        access_token=admitted.access_token,
        refresh_token=admitted.refresh_token,
        expires_in=admitted.expires_in,
    )
    return json_response(answer)
