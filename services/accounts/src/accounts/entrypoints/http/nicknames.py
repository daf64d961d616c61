"""Routes of nicknames: one's own, those of people on a page, reports, and hiding."""

from dynabench_api.accounts import (
    HiddenNicknameAnswer,
    HiddenNicknamesAnswer,
    NicknameAnswer,
    NicknameReportAnswer,
    NicknameReportsAnswer,
    NicknamesAnswer,
    OwnNicknameAnswer,
)
from dynabench_common.auth.permissions import Permission, requires, signed_in_person
from dynabench_common.http.schemas import PageQuery, cursor_id, cut_page, page_start
from dynabench_common.http.service import json_response
from flask import Response
from flask_openapi import APIBlueprint

from accounts.entrypoints.http.dependencies import dependencies
from accounts.entrypoints.http.schemas import (
    NicknameBody,
    NicknameReportBody,
    NicknamesQuery,
    NicknameStateBody,
    PersonPath,
)
from accounts.queries import people as queries
from accounts.service_layer.nicknames import (
    ChooseNickname,
    HideNickname,
    ReportNickname,
    choose_nickname,
    hide_nickname,
    report_nickname,
)

MOST_REPORTED = 100
blueprint = APIBlueprint("nicknames", __name__, url_prefix="/api/accounts/v1")


@blueprint.get("/nicknames", responses={200: NicknamesAnswer})
@requires(Permission.READ_PUBLIC)
def get_nicknames(query: NicknamesQuery) -> Response:
    """List the nicknames of up to 200 people. People without a shown nickname are left out."""
    found = queries.nicknames(dependencies().engine, query.person_id)
    return json_response(NicknamesAnswer(items=[NicknameAnswer.model_validate(record) for record in found]))


@blueprint.get("/me/nickname", responses={200: OwnNicknameAnswer})
@requires(Permission.READ_SELF)
def get_own_nickname() -> Response:
    """Read your own nickname."""
    return _own()


@blueprint.put("/me/nickname", responses={200: OwnNicknameAnswer})
@requires(Permission.CHANGE_OWN_ACCOUNT)
def put_own_nickname(body: NicknameBody) -> Response:
    """Choose the nickname by which others see you, or remove it."""
    choose_nickname(ChooseNickname(signed_in_person(), body.nickname), dependencies())
    return _own()


@blueprint.post("/people/<person_id>/nickname-reports", responses={204: None})
@requires(Permission.CHANGE_OWN_ACCOUNT)
def post_report(path: PersonPath, body: NicknameReportBody) -> Response:
    """Report a nickname to the administrators."""
    report_nickname(ReportNickname(signed_in_person(), path.person_id, body.reason), dependencies())
    return Response(status=204)


@blueprint.get("/nickname-reports", responses={200: NicknameReportsAnswer})
@requires(Permission.MANAGE_PEOPLE)
def get_reports() -> Response:
    """List the reported nicknames, those with most reports first."""
    found = queries.nickname_reports(dependencies().engine, MOST_REPORTED)
    return json_response(
        NicknameReportsAnswer(items=[NicknameReportAnswer.model_validate(record) for record in found])
    )


@blueprint.get("/hidden-nicknames", responses={200: HiddenNicknamesAnswer})
@requires(Permission.MANAGE_PEOPLE)
def get_hidden(query: PageQuery) -> Response:
    """List the hidden nicknames, in the order their people signed up."""
    after = page_start(query.cursor, cursor_id)
    found = queries.hidden_nicknames(dependencies().engine, query.limit + 1, after)
    page, next_cursor = cut_page(found, query.limit, lambda record: record.person_id)
    items = [HiddenNicknameAnswer.model_validate(record) for record in page]
    return json_response(HiddenNicknamesAnswer(items=items, next_cursor=next_cursor))


@blueprint.put("/people/<person_id>/nickname-state", responses={204: None})
@requires(Permission.MANAGE_PEOPLE)
def put_state(path: PersonPath, body: NicknameStateBody) -> Response:
    """Hide a nickname, or show it again. Its reports end."""
    command = HideNickname(signed_in_person(), path.person_id, body.state == "hidden", body.reason)
    hide_nickname(command, dependencies())
    return Response(status=204)


def _own() -> Response:
    found = queries.own_nickname(dependencies().engine, signed_in_person())
    return json_response(OwnNicknameAnswer.model_validate(found or {"nickname": None, "hidden_reason": ""}))
