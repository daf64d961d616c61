"""Notification settings for pages and mail: the options, and the handling of the form."""

from dynabench_common.auth.permissions import Permission, requires
from flask import Blueprint, Response, request

from web.account.routes import account_page
from web.kit.dependencies import platform
from web.kit.language import locale
from web.kit.outcomes import attempt
from web.kit.rendering import go_to

blueprint = Blueprint("notice_choices", __name__)


@blueprint.post("/account/notices")
@requires(Permission.MANAGE_OWN_NOTICES)
def post_choices() -> Response:
    """Store the choices. Kinds that the form did not show stay unchanged."""
    area = platform().accounts
    before, shown = area.notice_settings(), set(request.form.getlist("kind"))
    chosen = {
        place: _off(place, shown, kept)
        for place, kept in (("page", before.not_on_page), ("mail_kind", before.not_by_mail))
    }
    outcome = attempt(
        lambda: area.set_notice_settings(
            request.form.get("mail", before.mail),
            not_on_page=chosen["page"],
            not_by_mail=chosen["mail_kind"],
            language=str(locale()),
        )
    )
    if outcome.problem is not None:
        return account_page(outcome.problem, notice_problem=outcome.problem)
    return go_to("/account", "notice-settings-saved")


@blueprint.post("/account/email-confirmation")
@requires(Permission.CHANGE_OWN_ACCOUNT)
def post_email_confirmation() -> Response:
    """Request a link that confirms the person's mail address for notification mails."""
    language = str(locale())
    outcome = attempt(lambda: platform().accounts.ask_to_confirm_email(language=language))
    return account_page(
        outcome.problem, notice_problem=outcome.problem, confirmation_sent=outcome.problem is None
    )


def _off(place: str, shown: set[str], kept: tuple[str, ...]) -> list[str]:
    """Return the kinds to leave out: those with a cleared box, and earlier ones that the form did not show."""
    ticked = set(request.form.getlist(place))
    return sorted((shown - ticked) | (set(kept) - shown))
