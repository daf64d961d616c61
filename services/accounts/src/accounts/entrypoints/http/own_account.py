"""Routes about a person's own password and mail address."""

from uuid import UUID

from dynabench_api.accounts import ApiTokenAnswer, EmailAnswer, NewPasswordAnswer, PersonAnswer
from dynabench_common.auth.permissions import Permission, current_principal, requires, signed_in_person
from dynabench_common.http import addresses
from dynabench_common.http.schemas import Input
from dynabench_common.http.service import json_response
from flask import Response
from flask_openapi import APIBlueprint
from pydantic import Field

from accounts.entrypoints.http.dependencies import dependencies
from accounts.entrypoints.http.schemas import LONGEST_INPUT, person_answer
from accounts.queries.people import email_of
from accounts.service_layer import own_account
from accounts.service_layer.own_account import (
    AskForNewEmail,
    AskForNewPassword,
    ChangePassword,
    ChooseNewPassword,
    NewPasswordChosen,
)

blueprint = APIBlueprint("own_account", __name__, url_prefix="/api/accounts/v1")
LANGUAGE = Field(
    default="en", max_length=35, description="Of mails (BCP 47); English where there is no catalogue"
)


class PasswordBody(Input):
    """Another password."""

    current_password: str = Field(max_length=LONGEST_INPUT)
    new_password: str = Field(max_length=LONGEST_INPUT, description="At least 10 characters")
    language: str = LANGUAGE


class ResetBody(Input):
    """The account whose password was forgotten."""

    email: str = Field(max_length=LONGEST_INPUT)
    language: str = LANGUAGE


class NewPasswordBody(Input):
    """A password by the secret of a link."""

    token: str = Field(max_length=LONGEST_INPUT, description="Out of the link")
    password: str = Field(max_length=LONGEST_INPUT, description="At least 10 characters")
    language: str = LANGUAGE


class EmailBody(Input):
    """Another mail address."""

    email: str = Field(max_length=LONGEST_INPUT)
    current_password: str = Field(max_length=LONGEST_INPUT)
    language: str = LANGUAGE


class LanguageBody(Input):
    """The language of a mail."""

    language: str = LANGUAGE


class ConfirmationBody(Input):
    """The secret of a link."""

    token: str = Field(max_length=LONGEST_INPUT, description="Out of the link")
    language: str = LANGUAGE


def new_password_answer(chosen: NewPasswordChosen) -> NewPasswordAnswer:
    """Return the answer."""
    tokens = [ApiTokenAnswer.model_validate(token) for token in chosen.api_tokens]
    return NewPasswordAnswer(person=person_answer(chosen.person), api_tokens=tokens)


@blueprint.put("/me/password", responses={204: None})
@requires(Permission.CHANGE_OWN_ACCOUNT)
def put_password(body: PasswordBody) -> Response:
    """Change one's password; other sessions end, the one that asks goes on."""
    session_id = current_principal().session_id
    command = ChangePassword(
        signed_in_person(),
        UUID(session_id) if session_id else None,
        body.current_password,
        body.new_password,
        body.language,
    )
    own_account.change_password(command, dependencies())
    return Response(status=204)


@blueprint.get("/me/email", responses={200: EmailAnswer})
@requires(Permission.READ_SELF)
def get_email() -> Response:
    """Tell one's own mail address."""
    return json_response(EmailAnswer(email=email_of(dependencies().engine, signed_in_person())))


@blueprint.post("/me/email-changes", responses={202: None})
@requires(Permission.CHANGE_OWN_ACCOUNT)
def post_email_change(body: EmailBody) -> Response:
    """Send a link to another mail address, which becomes one's own when the link is used."""
    command = AskForNewEmail(signed_in_person(), body.current_password, body.email, body.language)
    own_account.ask_for_new_email(command, dependencies())
    return Response(status=202)


@blueprint.post("/me/email-confirmation", responses={202: None})
@requires(Permission.CHANGE_OWN_ACCOUNT)
def post_own_email_confirmation(body: LanguageBody) -> Response:
    """Send a link to one's own mail address; using it tells that mail reaches one."""
    own_account.ask_to_confirm_email(signed_in_person(), body.language, dependencies())
    return Response(status=202)


@blueprint.post("/email-confirmations", responses={200: PersonAnswer})
@requires(Permission.SIGN_UP)
def post_email_confirmation(body: ConfirmationBody) -> Response:
    """Use the link to a new mail address; a mail to the old one reports the change."""
    person = own_account.confirm_email(body.token, body.language, dependencies())
    return json_response(person_answer(person))


@blueprint.post("/password-resets", responses={202: None})
@requires(Permission.SIGN_UP)
def post_password_reset(body: ResetBody) -> Response:
    """Have a link sent to choose a new password by; the answer is the same whether or not anybody is known."""
    command = AskForNewPassword(body.email, addresses.sender(), body.language)
    own_account.ask_for_new_password(command, dependencies())
    return Response(status=202)


@blueprint.post("/new-passwords", responses={200: NewPasswordAnswer})
@requires(Permission.SIGN_UP)
def post_new_password(body: NewPasswordBody) -> Response:
    """Choose a new password by the link of a mail; all sessions end."""
    command = ChooseNewPassword(body.token, body.password, body.language)
    chosen = own_account.choose_new_password(command, dependencies())
    return json_response(new_password_answer(chosen))
