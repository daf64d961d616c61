"""The route that reports the state of mail delivery."""

from dynabench_api.accounts import MailCountsAnswer
from dynabench_common.auth.permissions import Permission, requires
from dynabench_common.http.service import json_response
from flask import Response
from flask_openapi import APIBlueprint

from accounts.entrypoints.http.dependencies import dependencies
from accounts.queries.people import mail_counts

blueprint = APIBlueprint("mails", __name__, url_prefix="/api/accounts/v1")


@blueprint.get("/mails/counts", responses={200: MailCountsAnswer})
@requires(Permission.USE_CONSOLE)
def get_mail_counts() -> Response:
    """Count waiting and abandoned mails."""
    return json_response(MailCountsAnswer.model_validate(mail_counts(dependencies().engine)))
