"""Routes of second factors: one's own, and for administrators the reset of a lost one."""

from dynabench_api.accounts import AppSetupAnswer, RecoveryCodesAnswer, SecondFactorAnswer
from dynabench_common.auth.permissions import Permission, current_principal, requires, signed_in_person
from dynabench_common.http.schemas import Input
from dynabench_common.http.service import json_response
from flask import Response
from flask_openapi import APIBlueprint
from pydantic import Field

from accounts.entrypoints.http.dependencies import dependencies
from accounts.entrypoints.http.own_account import current_session
from accounts.entrypoints.http.schemas import CODE, LANGUAGE, LONGEST_INPUT, PersonPath
from accounts.queries.people import second_factor_of
from accounts.service_layer import second_factor
from accounts.service_layer.second_factor import ConfirmSecondFactor, RemoveSecondFactor, ResetSecondFactor

blueprint = APIBlueprint("second_factor", __name__, url_prefix="/api/accounts/v1")


class AppSetupBody(Input):
    """The confirmation that the caller sets up the app."""

    current_password: str = Field(max_length=LONGEST_INPUT)


class CodeBody(Input):
    """A code of the second factor."""

    code: str = CODE


class AppConfirmationBody(CodeBody):
    """The app's first code."""

    language: str = LANGUAGE


class FactorRemovalBody(AppConfirmationBody):
    """The confirmation that the caller removes the second factor."""

    current_password: str = Field(max_length=LONGEST_INPUT)


class FactorResetBody(Input):
    """The reset of another person's second factor."""

    reason: str = Field(max_length=LONGEST_INPUT, description="Reason for the audit log")


@blueprint.get("/me/second-factor", responses={200: SecondFactorAnswer})
@requires(Permission.READ_SELF)
def get_second_factor() -> Response:
    """Show whether your sign-in needs a code."""
    found = second_factor_of(dependencies().engine, signed_in_person())
    is_missing = current_principal().lacks_second_factor and not found["is_on"]
    return json_response(SecondFactorAnswer(**found, is_missing=is_missing))


@blueprint.post("/me/second-factor", responses={200: AppSetupAnswer})
@requires(Permission.CHANGE_OWN_ACCOUNT)
def post_second_factor(body: AppSetupBody) -> Response:
    """Get a secret for an authenticator app. Sign-in needs a code once you confirm the app."""
    setup = second_factor.start_second_factor(
        signed_in_person(), body.current_password, current_session(), dependencies()
    )
    return json_response(AppSetupAnswer(secret=setup.secret, uri=setup.uri))


@blueprint.put("/me/second-factor", responses={200: RecoveryCodesAnswer})
@requires(Permission.CHANGE_OWN_ACCOUNT)
def put_second_factor(body: AppConfirmationBody) -> Response:
    """Confirm the app with its first code. Your other sessions end."""
    command = ConfirmSecondFactor(signed_in_person(), current_session(), body.code, body.language)
    codes = second_factor.confirm_second_factor(command, dependencies())
    return json_response(RecoveryCodesAnswer(codes=codes))


@blueprint.post("/me/recovery-codes", responses={200: RecoveryCodesAnswer})
@requires(Permission.CHANGE_OWN_ACCOUNT)
def post_recovery_codes(body: CodeBody) -> Response:
    """Get new recovery codes. The old ones end."""
    codes = second_factor.renew_recovery_codes(signed_in_person(), body.code, dependencies())
    return json_response(RecoveryCodesAnswer(codes=codes))


@blueprint.post("/me/second-factor/removal", responses={204: None})
@requires(Permission.CHANGE_OWN_ACCOUNT)
def post_removal(body: FactorRemovalBody) -> Response:
    """Turn the second factor off."""
    command = RemoveSecondFactor(
        signed_in_person(), current_session(), body.current_password, body.code, body.language
    )
    second_factor.remove_second_factor(command, dependencies())
    return Response(status=204)


@blueprint.post("/people/<person_id>/second-factor-reset", responses={204: None})
@requires(Permission.MANAGE_PEOPLE)
def post_reset(path: PersonPath, body: FactorResetBody) -> Response:
    """Turn off the lost second factor of a person. Their sessions end."""
    command = ResetSecondFactor(signed_in_person(), path.person_id, body.reason)
    second_factor.reset_second_factor(command, dependencies())
    return Response(status=204)
