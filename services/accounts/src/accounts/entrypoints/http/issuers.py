"""Routes of sign-in by issuers (OpenID Connect), and of the issuers that a person has linked."""

from dynabench_api.accounts import (
    AccessAnswer,
    IssuerAnswer,
    IssuersAnswer,
    IssuerStartAnswer,
    LinkedIssuerAnswer,
    WaysInAnswer,
)
from dynabench_common.auth.permissions import Permission, requires, signed_in_person
from dynabench_common.http import addresses
from dynabench_common.http.schemas import Input, Text
from dynabench_common.http.service import json_response
from flask import Response
from flask_openapi import APIBlueprint
from pydantic import BaseModel, Field

from accounts.adapters import issuers as adapter
from accounts.entrypoints.http.dependencies import dependencies
from accounts.entrypoints.http.own_account import current_session
from accounts.entrypoints.http.schemas import DEVICE, LANGUAGE, LONGEST_INPUT
from accounts.entrypoints.http.sessions import signed_in_answer
from accounts.queries.credentials import ways_in
from accounts.service_layer import issuers
from accounts.service_layer.issuers import LinkIssuer, SignInByIssuer, StartLink

LONGEST_CODE = 8000
blueprint = APIBlueprint("issuers", __name__, url_prefix="/api/accounts/v1")


class IssuerStartBody(Input):
    """The start of a sign-in at an issuer."""

    issuer: str = Field(max_length=LONGEST_INPUT, description="Name of the issuer")


class IssuerLinkStartBody(IssuerStartBody):
    """The start of a link to an issuer."""

    current_password: str = Field(
        max_length=LONGEST_INPUT, description="Empty for people without a password, who signed in lately"
    )


class IssuerAnswerBody(IssuerStartBody):
    """The answer of an issuer, by way of the browser."""

    secret: str = Field(max_length=LONGEST_INPUT, description="The `secret` of the start")
    state: str = Field(max_length=LONGEST_INPUT)
    code: str = Field(default="", max_length=LONGEST_CODE)
    iss: str = Field(default="", max_length=LONGEST_INPUT, description="RFC 9207")
    error: str = Field(default="", max_length=LONGEST_INPUT)

    def answer(self) -> adapter.IssuerAnswer:
        """Return the answer that the issuer's rules check."""
        return adapter.IssuerAnswer(self.secret, self.state, self.code, self.iss, self.error)


class IssuerSignInBody(IssuerAnswerBody):
    """A sign-in with an issuer's answer."""

    device: str = DEVICE


class IssuerLinkBody(IssuerAnswerBody):
    """A link to an issuer with its answer."""

    language: str = LANGUAGE


class IssuerPath(BaseModel):
    """An issuer in an address."""

    issuer: Text = Field(max_length=LONGEST_INPUT)


@blueprint.get("/issuers", responses={200: IssuersAnswer})
@requires(Permission.READ_PUBLIC)
def get_issuers() -> Response:
    """List the issuers that people can sign in with."""
    listed = dependencies().issuers.values()
    return json_response(
        IssuersAnswer(items=[IssuerAnswer(name=each.name, title=each.title) for each in listed])
    )


@blueprint.post("/issuer-sign-ins", responses={200: IssuerStartAnswer})
@requires(Permission.SIGN_UP)
def post_issuer_sign_in(body: IssuerStartBody) -> Response:
    """Start a sign-in at an issuer."""
    start = issuers.start_sign_in(body.issuer, dependencies())
    return json_response(IssuerStartAnswer(url=start.url, secret=start.secret))


@blueprint.post("/sessions/issuer", responses={200: AccessAnswer})
@requires(Permission.SIGN_UP)
def post_issuer_session(body: IssuerSignInBody) -> Response:
    """Sign in with an issuer's answer. The first sign-in creates the account.

    If the account has a second factor, the answer is refused with `second-factor-needed` and a `challenge`.
    """
    command = SignInByIssuer(body.issuer, body.answer(), addresses.sender(), body.device)
    return signed_in_answer(issuers.sign_in_by_issuer(command, dependencies()))


@blueprint.get("/me/ways-in", responses={200: WaysInAnswer})
@requires(Permission.READ_SELF)
def get_ways_in() -> Response:
    """Show by which ways you can sign in."""
    app = dependencies()
    has_password, linked = ways_in(app.engine, signed_in_person())
    known = {each.address: each for each in app.issuers.values()}
    items = [
        LinkedIssuerAnswer(
            name=known[each.issuer].name,
            title=known[each.issuer].title,
            linked_at=each.linked_at,
            last_used_at=each.last_used_at,
        )
        for each in linked
        if each.issuer in known
    ]
    return json_response(WaysInAnswer(has_password=has_password, issuers=items))


@blueprint.post("/me/issuer-links", responses={200: IssuerStartAnswer})
@requires(Permission.CHANGE_OWN_ACCOUNT)
def post_issuer_link(body: IssuerLinkStartBody) -> Response:
    """Start to link an issuer to your account."""
    command = StartLink(signed_in_person(), current_session(), body.issuer, body.current_password)
    start = issuers.start_link(command, dependencies())
    return json_response(IssuerStartAnswer(url=start.url, secret=start.secret))


@blueprint.post("/me/issuers", responses={204: None})
@requires(Permission.CHANGE_OWN_ACCOUNT)
def post_issuer(body: IssuerLinkBody) -> Response:
    """Link an issuer to your account with the issuer's answer."""
    command = LinkIssuer(signed_in_person(), body.issuer, body.answer(), body.language)
    issuers.link_issuer(command, dependencies())
    return Response(status=204)


@blueprint.delete("/me/issuers/<issuer>", responses={204: None})
@requires(Permission.CHANGE_OWN_ACCOUNT)
def delete_issuer(path: IssuerPath) -> Response:
    """Remove an issuer from your account, with the roles that it gave."""
    issuers.unlink_issuer(signed_in_person(), path.issuer, dependencies())
    return Response(status=204)
