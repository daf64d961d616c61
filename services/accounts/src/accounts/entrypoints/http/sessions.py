"""Routes about sessions. The refresh token travels in a cookie that scripts can't read.

Only the crowd service may start sessions of people of campaigns; it gets their refresh tokens in the answer.
"""

from datetime import datetime

from dynabench_api.accounts import (
    AccessAnswer,
    EndedSessionsAnswer,
    OwnSessionAnswer,
    OwnSessionsAnswer,
)
from dynabench_api.crowd import CrowdSession
from dynabench_common.auth.permissions import Permission, current_principal, requires, signed_in_person
from dynabench_common.http import addresses
from dynabench_common.http.service import json_response
from flask import Response, request
from flask_openapi import APIBlueprint

from accounts.domain.errors import SessionEnded
from accounts.entrypoints.http.dependencies import dependencies
from accounts.entrypoints.http.own_account import current_session
from accounts.entrypoints.http.schemas import (
    CodeSignInBody,
    PersonPath,
    SessionPath,
    SignInBody,
    WorkSessionBody,
    person_answer,
)
from accounts.queries.credentials import ended_sessions, running_sessions
from accounts.service_layer.sessions import (
    AdmitToWork,
    FinishSignIn,
    SignedIn,
    SignIn,
    admit_to_work,
    end_other_sessions,
    end_session,
    finish_sign_in,
    refresh,
    sign_in,
    sign_out,
)

COOKIE = "dynabench_refresh"
LONGEST_COOKIE = 200
MOST_LISTED = 100

blueprint = APIBlueprint("sessions", __name__, url_prefix="/api/accounts/v1")
crowd_blueprint = APIBlueprint("crowd_people", __name__, url_prefix="/api/accounts/v1")


@blueprint.post("/sessions", responses={200: AccessAnswer})
@requires(Permission.SIGN_UP)
def post_session(body: SignInBody) -> Response:
    """Sign in with a password.

    If the account has a second factor, the right password is refused with `second-factor-needed` and a `challenge`.
    """
    command = SignIn(body.user_name, body.password, addresses.sender(), body.device)
    return signed_in_answer(sign_in(command, dependencies()))


@blueprint.post("/sessions/second-step", responses={200: AccessAnswer})
@requires(Permission.SIGN_UP)
def post_second_step(body: CodeSignInBody) -> Response:
    """Finish a sign-in with a code of the second factor, within ten minutes of the first step."""
    command = FinishSignIn(body.challenge, body.code, body.device)
    return signed_in_answer(finish_sign_in(command, dependencies()))


@blueprint.get("/me/sessions", responses={200: OwnSessionsAnswer})
@requires(Permission.READ_SELF)
def get_own_sessions() -> Response:
    """List your running sessions, 100 at most."""
    app, current = dependencies(), current_principal().session_id
    found = running_sessions(app.engine, signed_in_person(), current, app.clock.now(), MOST_LISTED)
    items = [OwnSessionAnswer.model_validate(record) for record in found]
    return json_response(OwnSessionsAnswer(items=items))


@blueprint.delete("/me/sessions/<session_id>", responses={204: None})
@requires(Permission.CHANGE_OWN_ACCOUNT)
def delete_own_session(path: SessionPath) -> Response:
    """End one of your sessions."""
    end_session(path.session_id, signed_in_person(), dependencies())
    return Response(status=204)


@blueprint.delete("/me/sessions", responses={204: None})
@requires(Permission.CHANGE_OWN_ACCOUNT)
def delete_other_sessions() -> Response:
    """End all your sessions except the current one."""
    end_other_sessions(signed_in_person(), current_session(), dependencies())
    return Response(status=204)


@blueprint.post("/sessions/refresh", responses={200: AccessAnswer})
@requires(Permission.SIGN_UP)
def post_refresh() -> Response:
    """Renew the access token with the refresh cookie. The cookie is replaced."""
    token = _cookie()
    if token is None:
        raise SessionEnded
    return signed_in_answer(refresh(token, dependencies()))


@blueprint.get("/ended-sessions", responses={200: EndedSessionsAnswer})
@requires(Permission.READ_ENDED_SESSIONS)
def get_ended_sessions() -> Response:
    """List sessions and API tokens that ended in the last 15 minutes, and whose roles changed.

    Refuse access tokens that name them, or that have an earlier version of the roles.
    """
    app = dependencies()
    ended = ended_sessions(app.engine, app.clock.now())
    session_ids, roles_versions = sorted(ended.session_ids), dict(ended.roles_versions)
    return json_response(EndedSessionsAnswer(session_ids=session_ids, roles_versions=roles_versions))


@blueprint.delete("/sessions", responses={204: None})
@requires(Permission.SIGN_UP)
def delete_session() -> Response:
    """Sign out: end the session of the refresh cookie, if there is one."""
    token = _cookie()
    if token is not None:
        sign_out(token, dependencies())
    response = Response(status=204)
    _set_cookie(response, "", None)
    return response


def _cookie() -> str | None:
    token = request.cookies.get(COOKIE, "")
    return token if 0 < len(token) <= LONGEST_COOKIE else None


def signed_in_answer(signed_in: SignedIn) -> Response:
    """Return the answer to a sign-in or a renewal, with the refresh cookie."""
    answer = AccessAnswer(
        access_token=signed_in.access_token,
        expires_in=signed_in.expires_in,
        person=person_answer(signed_in.person),
    )
    response = json_response(answer)
    _set_cookie(response, signed_in.refresh_token, signed_in.refresh_expires_at)
    return response


def _set_cookie(response: Response, value: str, expires: datetime | None) -> None:
    response.set_cookie(
        COOKIE,
        value,
        expires=expires or 0,
        max_age=None if expires else 0,
        path="/",
        httponly=True,
        samesite="Lax",
        secure=dependencies().secure_cookies,
    )


@crowd_blueprint.post("/crowd-people/<person_id>/sessions", responses={200: CrowdSession})
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
