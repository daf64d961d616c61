"""Routes about API tokens and the public keys of access tokens."""

from dynabench_api.accounts import (
    AccessAnswer,
    ApiTokenAnswer,
    ApiTokensAnswer,
    JwksAnswer,
    NewApiTokenAnswer,
)
from dynabench_common.auth.permissions import Permission, requires, signed_in_person
from dynabench_common.http.schemas import PageQuery, cursor_id, cut_page, page_start
from dynabench_common.http.service import json_response
from flask import Response
from flask_openapi import APIBlueprint

from accounts.entrypoints.http.dependencies import dependencies
from accounts.entrypoints.http.schemas import (
    ApiTokenBody,
    ApiTokenPath,
    ExchangeBody,
    new_api_token_answer,
    person_answer,
)
from accounts.queries.credentials import api_tokens
from accounts.service_layer.api_tokens import create_api_token, exchange_api_token, revoke_api_token

JWKS_SECONDS = 60

blueprint = APIBlueprint("tokens", __name__, url_prefix="/api/accounts/v1")


@blueprint.post("/tokens", responses={201: NewApiTokenAnswer})
@requires(Permission.MANAGE_OWN_TOKENS)
def post_token(body: ApiTokenBody) -> Response:
    """Create an API token. Only this answer contains its text."""
    token, secret = create_api_token(signed_in_person(), body.name, dependencies())
    return json_response(new_api_token_answer(token, secret), 201)


@blueprint.get("/tokens", responses={200: ApiTokensAnswer})
@requires(Permission.MANAGE_OWN_TOKENS)
def get_tokens(query: PageQuery) -> Response:
    """List your API tokens, newest first."""
    before = page_start(query.cursor, cursor_id)
    found = api_tokens(dependencies().engine, signed_in_person(), query.limit + 1, before)
    page, next_cursor = cut_page(found, query.limit, lambda record: record.token_id)
    items = [ApiTokenAnswer.model_validate(record) for record in page]
    return json_response(ApiTokensAnswer(items=items, next_cursor=next_cursor))


@blueprint.delete("/tokens/<token_id>", responses={204: None})
@requires(Permission.MANAGE_OWN_TOKENS)
def delete_token(path: ApiTokenPath) -> Response:
    """Revoke one of your API tokens."""
    revoke_api_token(signed_in_person(), path.token_id, dependencies())
    return Response(status=204)


@blueprint.post("/tokens/exchange", responses={200: AccessAnswer})
@requires(Permission.SIGN_UP)
def post_exchange(body: ExchangeBody) -> Response:
    """Exchange an API token for an access token."""
    exchanged = exchange_api_token(body.api_token, dependencies())
    answer = AccessAnswer(
        access_token=exchanged.access_token,
        expires_in=exchanged.expires_in,
        person=person_answer(exchanged.person),
    )
    return json_response(answer)


@blueprint.get("/jwks", responses={200: JwksAnswer})
@requires(Permission.READ_PUBLIC)
def get_jwks() -> Response:
    """Return the public keys for checking access tokens."""
    return json_response(
        JwksAnswer(keys=dependencies().jwks["keys"]),
        headers={"Cache-Control": f"public, max-age={JWKS_SECONDS}"},
    )
