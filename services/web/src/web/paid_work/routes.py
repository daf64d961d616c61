"""Pages of people who work for pay: the entry page, the bar of their work, and the completion page.

A platform leads people to the entry page with its own parameters. Only crowd reads them. People accept by a button;
then they have a session like others, under a pseudonym and without an account.
"""

import re
import secrets
from functools import partial
from uuid import UUID

from dynabench_client import Dynabench
from dynabench_client.results.crowd import CampaignOffer, Work
from dynabench_common.auth.permissions import Permission, requires
from dynabench_common.http.addresses import UNKNOWN, sender
from dynabench_common.problems import not_found
from flask import Blueprint, Response, abort, g, make_response, render_template, request

from web.kit import form, session
from web.kit.configuration import task_rules
from web.kit.dependencies import dependencies, platform
from web.kit.fair_play import LONGEST_REASON, decision_view
from web.kit.outcomes import attempt, optional
from web.kit.paid_work import begin_own_work, current_work, work_bar, work_view
from web.kit.parallel import page_reads
from web.kit.practised import has_seen_practice
from web.kit.problems import ProblemView
from web.kit.rendering import go_to, page
from web.kit.security import HOME
from web.paid_work.done_view import result_view
from web.paid_work.offer_view import offer_view

DEVICE = "dynabench_device"
DEVICE_ID = re.compile(r"[\w-]{22}", re.ASCII)
DEVICE_BYTES = 16
DEVICE_SECONDS = 180 * 24 * 3600
FOR_ACCOUNTS = re.compile(r"/(account|notices)(/|$)")

blueprint = Blueprint("paid_work", __name__, url_prefix="/work")


@blueprint.before_request
def _need_crowd() -> None:
    if not dependencies().settings.crowd_url:
        abort(404)


@blueprint.before_app_request
def _keep_from_accounts() -> Response | None:
    """Lead people without an account away from the pages of accounts."""
    is_out = session.viewer().does_paid_work and FOR_ACCOUNTS.match(request.path)
    return go_to("/work") if is_out else None


@blueprint.get("/<uuid:campaign_id>")
@requires(Permission.USE_PAGES)
def get_entry(campaign_id: UUID) -> Response:
    """Show the offer and what is recorded. The platform's parameters stay in the address of the form."""
    return _entry_page(_read_offer(str(campaign_id)))


@blueprint.post("/<uuid:campaign_id>")
@requires(Permission.SIGN_UP)
def post_entry(campaign_id: UUID) -> Response:
    """Accept the work and begin its session. Somebody who comes back continues the same assignment."""
    device = _device()
    outcome = attempt(partial(_enter, str(campaign_id), device), even_unauthorised=True)
    if outcome.value is None:
        return _refused_page(str(campaign_id), outcome.problem)
    response = go_to(_first_page(outcome.value))
    secure = dependencies().settings.has_secure_origin
    response.set_cookie(
        DEVICE, device, max_age=DEVICE_SECONDS, path="/", httponly=True, samesite="Lax", secure=secure
    )
    return response


@blueprint.get("")
@requires(Permission.DO_PAID_WORK)
def get_current() -> Response:
    """Lead to the work in progress, to the result of the newest, or home."""
    found = current_work(platform().crowd.my_work())
    if found is None:
        return go_to(HOME)
    view = work_view(found)
    return go_to(view.address if view.is_working else _result_address(found.assignment_id))


@blueprint.get("/rounds/<uuid:round_id>/<any(create, validate):kind>")
@requires(Permission.DO_PAID_WORK)
def get_bar(round_id: UUID, kind: str) -> Response:
    """Send the content of the bar to the open page; 304 without a change, 204 without work in the round."""
    bar = work_bar(str(round_id), kind, has_run_out=request.args.get("out") == "1")
    if bar is None:
        return make_response("", 204)
    response = make_response(render_template("kit/work_state.html", bar=bar, is_refresh=True))
    response.add_etag()
    response.make_conditional(request)
    return response


@blueprint.post("/assignments/<uuid:assignment_id>/completion")
@requires(Permission.DO_PAID_WORK)
def post_completion(assignment_id: UUID) -> Response:
    """Hand the work in; the form says if its page found no text to work on."""
    has_run_out = request.form.get("nothing_left") == "1"
    outcome = attempt(partial(platform().crowd.complete, str(assignment_id), nothing_left=has_run_out))
    if outcome.problem is not None:
        return _result_page(str(assignment_id), outcome.problem, has_run_out=has_run_out)
    return go_to(_result_address(str(assignment_id)))


@blueprint.post("/assignments/<uuid:assignment_id>/return")
@requires(Permission.DO_PAID_WORK)
def post_return(assignment_id: UUID) -> Response:
    """Give the work back."""
    outcome = attempt(partial(platform().crowd.give_back, str(assignment_id)))
    if outcome.problem is not None:
        return _result_page(str(assignment_id), outcome.problem)
    return go_to(_result_address(str(assignment_id)))


@blueprint.post("/assignments/<uuid:assignment_id>/appeal")
@requires(Permission.DO_PAID_WORK)
def post_appeal(assignment_id: UUID) -> Response:
    """Appeal against an exclusion, once."""
    outcome = attempt(partial(platform().crowd.appeal, str(assignment_id), form.text("text")))
    if outcome.problem is not None:
        return _result_page(str(assignment_id), outcome.problem)
    return go_to(_result_address(str(assignment_id)), "appeal-sent")


@blueprint.get("/done/<uuid:assignment_id>")
@requires(Permission.DO_PAID_WORK)
def get_done(assignment_id: UUID) -> Response:
    """Show the completion code, the way back to the platform, and what is paid."""
    return _result_page(str(assignment_id))


def _enter(campaign_id: str, device: str) -> Work:
    """Have crowd check the entry, and begin the session that it returns. Raises ProblemError, UnreachableError."""
    address = sender()
    known = None if address == UNKNOWN else address
    entry = _as_ourselves().crowd.enter(campaign_id, request.args.to_dict(), device, known)
    session.begin(dependencies().platform.accounts.refresh(entry.session.refresh_token), does_paid_work=True)
    return entry.work


def _read_offer(campaign_id: str) -> CampaignOffer:
    """Read an offer. People whom a platform sends are no members yet: they may read that of a private task too."""
    client = _as_ourselves() if request.args else platform()
    return client.crowd.offer(campaign_id)


def _as_ourselves() -> Dynabench:
    """Return the platform, called as the pages themselves: no person may accept for a platform's parameters."""
    needed = dependencies()
    return needed.platform.acting_as(needed.settings.service_token, g.get("request_id"))


def _device() -> str:
    given = request.cookies.get(DEVICE, "")
    return given if DEVICE_ID.fullmatch(given) else secrets.token_urlsafe(DEVICE_BYTES)


def _first_page(work: Work) -> str:
    """Return the practice for people who have not seen it, else the page of the work, or of its result."""
    view = work_view(work)
    if not view.is_working:
        return _result_address(work.assignment_id)
    if work.done or has_seen_practice(work.task):
        return view.address
    task = optional(partial(platform().annotation.task, work.task))
    rules = None if task is None else task_rules(task)
    has_practice = rules is not None and rules.has_practice and work.work not in rules.trained
    return f"/tasks/{work.task}/practice?next={view.address}" if has_practice else view.address


def _result_address(assignment_id: str) -> str:
    return f"/work/done/{assignment_id}"


def _entry_page(offer: CampaignOffer, problem: ProblemView | None = None) -> Response:
    return page(
        "paid_work/entry.html",
        problem.status if problem else 200,
        offer=offer_view(offer),
        action=request.full_path.rstrip("?"),
        problem=problem,
    )


def _refused_page(campaign_id: str, problem: ProblemView | None) -> Response:
    """Return why an entry was refused; the form again if the same entry may succeed later."""
    offer = optional(partial(_read_offer, campaign_id))
    if problem is not None and problem.is_temporary and offer is not None:
        return _entry_page(offer, problem)
    return page(
        "paid_work/refused.html",
        problem.status if problem else 400,
        problem=problem,
        action=request.full_path.rstrip("?"),
    )


def _result_page(
    assignment_id: str, problem: ProblemView | None = None, *, has_run_out: bool = False
) -> Response:
    reading = begin_own_work()
    own = reading.needed() if reading else ()
    found = next((each for each in own if each.assignment_id == assignment_id), None)
    if found is None:
        raise not_found("assignment", "assignment_id")
    offer = page_reads().read(platform().crowd.offer, found.campaign_id).value()
    return page(
        "paid_work/done.html",
        problem.status if problem else 200,
        work=work_view(found, has_run_out=has_run_out),
        result=result_view(found, offer),
        fair_play=decision_view(found.fair_play),
        longest_appeal=LONGEST_REASON,
        entered=request.form.get("text", ""),
        problem=problem,
    )
