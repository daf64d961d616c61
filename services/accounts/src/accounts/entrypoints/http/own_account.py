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
from accounts.entrypoints.http.schemas import LANGUAGE, LONGEST_INPUT, person_answer
from accounts.queries.people import email_of
from accounts.service_layer import own_account
from accounts.service_layer.deletion import DeleteAccount, delete_account
from accounts.service_layer.own_account import (
    AskForNewEmail,
    AskForNewPassword,
    ChangePassword,
    ChooseNewPassword,
    NewPasswordChosen,
)

blueprint = APIBlueprint("own_account", __name__, url_prefix="/api/accounts/v1")


class PasswordBody(Input):
    """The current and the new password."""

    current_password: str = Field(max_length=LONGEST_INPUT)
    new_password: str = Field(max_length=LONGEST_INPUT, description="At least 10 characters")
    language: str = LANGUAGE


class ResetBody(Input):
    """The account with the forgotten password."""

    email: str = Field(max_length=LONGEST_INPUT)
    language: str = LANGUAGE


class NewPasswordBody(Input):
    """A new password, with the token of a link."""

    token: str = Field(max_length=LONGEST_INPUT, description="The token in the link")
    password: str = Field(max_length=LONGEST_INPUT, description="At least 10 characters")
    language: str = LANGUAGE


class EmailBody(Input):
    """A new mail address."""

    email: str = Field(max_length=LONGEST_INPUT)
    current_password: str = Field(max_length=LONGEST_INPUT)
    language: str = LANGUAGE


class DeletionBody(Input):
    """The confirmation that the caller deletes the account."""

    current_password: str = Field(
        max_length=LONGEST_INPUT, description="Empty for people without a password, who signed in lately"
    )
    code: str = Field(
        default="", max_length=LONGEST_INPUT, description="Code of the second factor, if there is one"
    )
    withdraws_texts: bool = Field(
        description="Whether to withdraw your texts of rounds that are not released"
    )


class LanguageBody(Input):
    """The language of a mail."""

    language: str = LANGUAGE


class ConfirmationBody(Input):
    """The token of a link."""

    token: str = Field(max_length=LONGEST_INPUT, description="The token in the link")
    language: str = LANGUAGE


def current_session() -> UUID | None:
    """Return the caller's session or API token."""
    session_id = current_principal().session_id
    return UUID(session_id) if session_id else None


def new_password_answer(chosen: NewPasswordChosen) -> NewPasswordAnswer:
    """Return the answer."""
    tokens = [ApiTokenAnswer.model_validate(token) for token in chosen.api_tokens]
    return NewPasswordAnswer(person=person_answer(chosen.person), api_tokens=tokens)


@blueprint.put("/me/password", responses={204: None})
@requires(Permission.CHANGE_OWN_ACCOUNT)
def put_password(body: PasswordBody) -> Response:
    """Change your password. Your other sessions end; the current one continues."""
    command = ChangePassword(
        signed_in_person(),
        current_session(),
        body.current_password,
        body.new_password,
        body.language,
    )
    own_account.change_password(command, dependencies())
    return Response(status=204)


@blueprint.post("/me/deletion", responses={204: None})
@requires(Permission.CHANGE_OWN_ACCOUNT)
def post_deletion(body: DeletionBody) -> Response:
    """Delete your account. Names, mail address, sessions and tokens go; counts and released files stay."""
    command = DeleteAccount(
        signed_in_person(), current_session(), body.current_password, body.code, body.withdraws_texts
    )
    delete_account(command, dependencies())
    return Response(status=204)


@blueprint.get("/me/email", responses={200: EmailAnswer})
@requires(Permission.READ_SELF)
def get_email() -> Response:
    """Return your mail address."""
    return json_response(EmailAnswer(email=email_of(dependencies().engine, signed_in_person())))


@blueprint.post("/me/email-changes", responses={202: None})
@requires(Permission.CHANGE_OWN_ACCOUNT)
def post_email_change(body: EmailBody) -> Response:
    """Send a link to a new mail address. The address changes when the link is used."""
    command = AskForNewEmail(
        signed_in_person(), current_session(), body.current_password, body.email, body.language
    )
    own_account.ask_for_new_email(command, dependencies())
    return Response(status=202)


@blueprint.post("/me/email-confirmation", responses={202: None})
@requires(Permission.CHANGE_OWN_ACCOUNT)
def post_own_email_confirmation(body: LanguageBody) -> Response:
    """Send a link to your mail address. Using the link confirms the address."""
    own_account.ask_to_confirm_email(signed_in_person(), body.language, dependencies())
    return Response(status=202)


@blueprint.post("/email-confirmations", responses={200: PersonAnswer})
@requires(Permission.SIGN_UP)
def post_email_confirmation(body: ConfirmationBody) -> Response:
    """Confirm a mail address with the token of a link. The old address gets a mail about the change."""
    person = own_account.confirm_email(body.token, body.language, dependencies())
    return json_response(person_answer(person))


@blueprint.post("/password-resets", responses={202: None})
@requires(Permission.SIGN_UP)
def post_password_reset(body: ResetBody) -> Response:
    """Send a link for a new password. The answer is the same if no account has the address."""
    command = AskForNewPassword(body.email, addresses.sender(), body.language)
    own_account.ask_for_new_password(command, dependencies())
    return Response(status=202)


@blueprint.post("/new-passwords", responses={200: NewPasswordAnswer})
@requires(Permission.SIGN_UP)
def post_new_password(body: NewPasswordBody) -> Response:
    """Set a new password with the token of a link. All sessions end."""
    command = ChooseNewPassword(body.token, body.password, body.language)
    chosen = own_account.choose_new_password(command, dependencies())
    return json_response(new_password_answer(chosen))
