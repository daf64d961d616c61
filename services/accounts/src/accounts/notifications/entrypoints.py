"""Routes about a person's own notices and their settings, and the state of mail delivery."""

from dynabench_api.accounts import MailCountsAnswer, PersonAnswer
from dynabench_api.notices import NoticeAnswer, NoticesAnswer, NoticesReadAnswer, SettingsAnswer
from dynabench_common.auth.permissions import Permission, requires, signed_in_person
from dynabench_common.http.schemas import Input, PageQuery, cursor_number, cut_page, page_start
from dynabench_common.http.service import Provided, json_response
from flask import Response
from flask_openapi import APIBlueprint
from pydantic import Field

from accounts.mail.queue import mail_counts
from accounts.notifications import queries
from accounts.notifications.domain.notices import MailPace, NoticeKind, NoticeSettings
from accounts.notifications.service_layer.notices import (
    NotificationDependencies,
    change_settings,
    mark_read,
    unsubscribe,
)

dependencies = Provided[NotificationDependencies]()
blueprint = APIBlueprint("notices", __name__, url_prefix="/api/accounts/v1")
mails_blueprint = APIBlueprint("mails", __name__, url_prefix="/api/accounts/v1")
LONGEST_INPUT = 1000
LARGEST_POSITION = 2**63 - 1


class ReadBody(Input):
    """The notifications that the person has seen."""

    up_to: int = Field(
        ge=0, le=LARGEST_POSITION, description="Position of the newest notification that was shown"
    )


class SettingsBody(Input):
    """The person's notification settings. They replace the earlier ones."""

    mail: MailPace = Field(description="Highest frequency of mails")
    not_on_page: list[NoticeKind] = Field(
        default_factory=list, max_length=LONGEST_INPUT, description="Kinds to hide on pages"
    )
    not_by_mail: list[NoticeKind] = Field(
        default_factory=list, max_length=LONGEST_INPUT, description="Kinds to leave out of mails"
    )
    language: str | None = Field(
        default=None, max_length=35, description="Language of mails (BCP 47); unchanged if left out"
    )


def settings_answer(settings: NoticeSettings, *, is_email_confirmed: bool) -> SettingsAnswer:
    """Return the answer."""
    return SettingsAnswer(
        mail=settings.mail,
        not_on_page=sorted(settings.not_on_page),
        not_by_mail=sorted(settings.not_by_mail),
        is_email_confirmed=is_email_confirmed,
    )


class UnsubscriptionBody(Input):
    """The token of a mail."""

    token: str = Field(max_length=LONGEST_INPUT, description="The token in the link")


@blueprint.get("/me/notices", responses={200: NoticesAnswer})
@requires(Permission.READ_SELF)
def get_notices(query: PageQuery) -> Response:
    """List your notifications, newest first, without the kinds that you turned off for pages."""
    engine, person_id = dependencies().engine, signed_in_person()
    found = queries.notices(engine, person_id, query.limit + 1, page_start(query.cursor, _position))
    page, next_cursor = cut_page(found, query.limit, lambda each: each.position)
    items = [NoticeAnswer.model_validate(each) for each in page]
    unread = queries.unread(engine, person_id)
    return json_response(NoticesAnswer(items=items, next_cursor=next_cursor, unread=unread))


@blueprint.post("/me/notices/read", responses={200: NoticesReadAnswer})
@requires(Permission.MANAGE_OWN_NOTICES)
def post_read(body: ReadBody) -> Response:
    """Mark your notifications as read, up to the given position."""
    person_id = signed_in_person()
    mark_read(person_id, body.up_to, dependencies())
    return json_response(NoticesReadAnswer(unread=queries.unread(dependencies().engine, person_id)))


@blueprint.get("/me/notice-settings", responses={200: SettingsAnswer})
@requires(Permission.READ_SELF)
def get_settings() -> Response:
    """Return your notification settings."""
    return _settings()


@blueprint.put("/me/notice-settings", responses={200: SettingsAnswer})
@requires(Permission.MANAGE_OWN_NOTICES)
def put_settings(body: SettingsBody) -> Response:
    """Set the kinds of notifications on pages and in mails, and the frequency of mails."""
    chosen = NoticeSettings(body.mail, frozenset(body.not_on_page), frozenset(body.not_by_mail))
    change_settings(signed_in_person(), chosen, body.language, dependencies())
    return _settings()


@blueprint.post("/unsubscriptions", responses={200: PersonAnswer})
@requires(Permission.SIGN_UP)
def post_unsubscription(body: UnsubscriptionBody) -> Response:
    """Turn off notification mails with the token of one of them, without signing in. Repeating it changes nothing."""
    return json_response(PersonAnswer.model_validate(unsubscribe(body.token, dependencies())))


@mails_blueprint.get("/mails/counts", responses={200: MailCountsAnswer})
@requires(Permission.USE_CONSOLE)
def get_mail_counts() -> Response:
    """Count waiting and abandoned mails."""
    return json_response(MailCountsAnswer.model_validate(mail_counts(dependencies().engine)))


def _settings() -> Response:
    engine, person_id = dependencies().engine, signed_in_person()
    chosen = queries.settings(engine, person_id)
    is_confirmed = queries.is_email_confirmed(engine, person_id)
    return json_response(settings_answer(chosen, is_email_confirmed=is_confirmed))


def _position(value: object) -> int:
    return cursor_number(value, limit=LARGEST_POSITION + 1)
