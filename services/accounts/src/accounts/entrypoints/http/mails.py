"""The route that reports the state of mail delivery."""

from datetime import datetime

from dynabench_common.http import json_response
from dynabench_common.permissions import Permission, requires
from flask import Response
from flask_openapi import APIBlueprint
from pydantic import Field

from accounts.entrypoints.http.dependencies import dependencies
from accounts.entrypoints.http.schemas import ResponseBody
from accounts.queries.people import mail_counts

blueprint = APIBlueprint("mails", __name__, url_prefix="/api/accounts/v1")


class MailCountsAnswer(ResponseBody):
    """How mails get on."""

    waiting: int = Field(description="To be sent, or to be tried again")
    oldest_at: datetime | None = Field(description="When the oldest of these was written")
    trouble: str | None = Field(description="Why that one was not taken at the last attempt")
    given_up: int = Field(description="Within the last days: refused for good, or too late to be of use")


@blueprint.get("/mails/counts", responses={200: MailCountsAnswer})
@requires(Permission.USE_CONSOLE)
def get_mail_counts() -> Response:
    """Count the mails that wait and those that were given up."""
    return json_response(MailCountsAnswer.model_validate(mail_counts(dependencies().engine)))
