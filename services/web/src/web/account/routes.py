"""The account page, with the person's API tokens and sessions."""

from dataclasses import dataclass
from uuid import UUID

from dynabench_client.results.accounts import ApiToken, OwnSession
from dynabench_common.auth.permissions import Permission, requires
from flask import Blueprint, Response, request

from web.account.notice_settings_view import notice_settings_view
from web.kit import form, session
from web.kit.badges import badges_view
from web.kit.dependencies import dependencies, platform
from web.kit.numbers import TimeView, day, moment
from web.kit.outcomes import attempt
from web.kit.parallel import page_reads
from web.kit.people_words import cohort_words, role_words
from web.kit.problems import ProblemView
from web.kit.rendering import JSONL, download, go_to, page

MOST_TOKENS = 100

NOTHING_DONE = {
    **{"fresh": None, "token_problem": None, "token_name": ""},
    **{"password_problem": None, "email_problem": None, "new_email": "", "email_sent_to": ""},
    **{"notice_problem": None, "confirmation_sent": False, "nickname_problem": None, "new_nickname": ""},
    **{"issuer_problem": None, "issuer_name": ""},
}
"""Values of the page's forms before any form was sent."""

blueprint = Blueprint("account", __name__)


@dataclass(frozen=True)
class TokenView:
    """An API token in the list."""

    token_id: str
    name: str
    created: TimeView | None
    last_used: TimeView | None
    is_revoked: bool


@dataclass(frozen=True)
class SessionView:
    """A signed-in browser in the list."""

    session_id: str
    device: str
    started: TimeView | None
    last_used: TimeView | None
    is_current: bool


@blueprint.get("/account")
@requires(Permission.READ_SELF)
def get_account() -> Response:
    """Show the account."""
    return account_page()


@blueprint.post("/account/tokens")
@requires(Permission.MANAGE_OWN_TOKENS)
def post_token() -> Response:
    """Create an API token and show its text once, on a page without caching."""
    name = form.text("name")
    outcome = attempt(lambda: platform().accounts.create_token(name))
    response = account_page(
        outcome.problem,
        fresh=outcome.value,
        token_problem=outcome.problem,
        token_name=name if outcome.problem else "",
    )
    response.headers["Cache-Control"] = "no-store"
    return response


@blueprint.post("/account/tokens/<uuid:token_id>/revocation")
@requires(Permission.MANAGE_OWN_TOKENS)
def post_revocation(token_id: UUID) -> Response:
    """Revoke an API token."""
    platform().accounts.revoke_token(str(token_id))
    return go_to("/account", "token-revoked")


@blueprint.post("/account/nickname")
@requires(Permission.CHANGE_OWN_ACCOUNT)
def post_nickname() -> Response:
    """Choose the nickname, change it, or remove it."""
    chosen = request.form.get("nickname", "")
    outcome = attempt(lambda: platform().accounts.set_nickname(chosen))
    if outcome.problem is not None:
        return account_page(outcome.problem, nickname_problem=outcome.problem, new_nickname=chosen)
    return go_to("/account", "nickname-saved")


@blueprint.post("/account/sessions/<uuid:session_id>/end")
@requires(Permission.CHANGE_OWN_ACCOUNT)
def post_end_of_session(session_id: UUID) -> Response:
    """Sign out another browser."""
    platform().accounts.end_session(str(session_id))
    return go_to("/account", "session-ended")


@blueprint.post("/account/sessions/end")
@requires(Permission.CHANGE_OWN_ACCOUNT)
def post_end_of_others() -> Response:
    """Sign out all other browsers."""
    platform().accounts.end_other_sessions()
    return go_to("/account", "sessions-ended")


@blueprint.get("/account/export")
@requires(Permission.EXPORT_OWN_WORK)
def get_own_export() -> Response:
    """Send the person's own examples and votes, a line of JSON each."""
    return download(platform().datasets.export_own(), "my-work.jsonl", JSONL)


def account_page(problem: ProblemView | None = None, **views: object) -> Response:
    """Return the account page with the result of a form, as in `NOTHING_DONE`; `problem` is its refusal."""
    client, reads = platform(), page_reads()
    listed = reads.read(client.accounts.tokens, limit=MOST_TOKENS)
    email = reads.read(client.accounts.email)
    settings = reads.read(client.accounts.notice_settings)
    badges = reads.read(client.leaderboard.my_badges)
    nickname = reads.read(client.accounts.my_nickname)
    ways, issuers = reads.read(client.accounts.ways_in), reads.read(client.accounts.issuers)
    factor, sessions = reads.read(client.accounts.second_factor), reads.read(client.accounts.my_sessions)
    person = client.accounts.me()
    earned = badges.value()
    running, ways_in = sessions.value(), ways.value()
    linked = {each.name for each in ways_in.issuers} if ways_in else set()
    tokens = [token_view(token) for token in listed.needed().items]
    return page(
        "account/page.html",
        problem.status if problem else 200,
        person=person,
        cohort=cohort_words(person.cohort),
        roles=[role_words(role) for role in person.roles],
        since=day(person.registered_at),
        tokens=[token for token in tokens if not token.is_revoked],
        revoked=[token for token in tokens if token.is_revoked],
        email=email.value(),
        nickname=nickname.value(),
        factor=factor.value(),
        ways_in=ways_in,
        has_password=ways_in is None or ways_in.has_password,
        linkable=[each for each in issuers.value() or () if each.name not in linked],
        sessions=None if running is None else [session_view(each) for each in running],
        badges=None if earned is None else badges_view(earned),
        notice_settings=notice_settings_view(
            settings.value(),
            owns_a_task=session.viewer().looks_after_rounds,
            is_admin=session.viewer().principal.is_admin,
        ),
        mail_folder=dependencies().settings.mail_folder,
        **{**NOTHING_DONE, **views},
    )


def session_view(found: OwnSession) -> SessionView:
    """Return the list entry of a session."""
    return SessionView(
        found.session_id, found.device, moment(found.started_at), moment(found.last_used_at), found.is_current
    )


def token_view(token: ApiToken) -> TokenView:
    """Return the list entry of an API token."""
    return TokenView(
        token.token_id,
        token.name,
        moment(token.created_at),
        moment(token.last_used_at),
        token.revoked_at is not None,
    )
