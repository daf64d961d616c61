"""Pages of a person with a nickname, and of the ranks of people in all tasks or in one."""

from uuid import UUID

from dynabench_client.results.leaderboard import PersonWeeks
from dynabench_common.auth.permissions import Permission, requires
from flask import Blueprint, Response, abort, request

from web.kit import session
from web.kit.badges import badge_views
from web.kit.charts.columns import columns
from web.kit.charts.svg import Chart
from web.kit.dependencies import platform
from web.kit.language import _
from web.kit.nicknames import nicknames, place_views, placed
from web.kit.numbers import count
from web.kit.outcomes import attempt
from web.kit.parallel import page_reads
from web.kit.problems import ProblemView
from web.kit.rendering import go_to, page

MOST_TASKS = 200
FEWEST_WEEKS = 2
PERIODS = ("week", "all")

blueprint = Blueprint("profiles", __name__)


@blueprint.get("/ranks")
@requires(Permission.USE_PAGES)
def get_ranks() -> Response:
    """Rank people by confirmed errors, of this week or of all time, in all tasks or in one."""
    client, reads = platform(), page_reads()
    period = request.args.get("period", PERIODS[0])
    task = request.args.get("task") or None
    tasks = reads.read(client.annotation.tasks, limit=MOST_TASKS)
    found = client.leaderboard.people_ranks(task=task, period=period if period in PERIODS else PERIODS[0])
    listed = tasks.value()
    return page(
        "profiles/ranks.html",
        period=period,
        task=task or "",
        tasks=[(each.slug, each.title or each.slug) for each in listed.items] if listed else [],
        people=count(found.people),
        places=place_views(found, nicknames(placed(found))),
    )


@blueprint.get("/profiles/<uuid:person_id>")
@requires(Permission.USE_PAGES)
def get_profile(person_id: UUID) -> Response:
    """Show a person who chose a nickname: badges, and confirmed errors by week."""
    return _profile(str(person_id))


@blueprint.post("/profiles/<uuid:person_id>/reports")
@requires(Permission.CHANGE_OWN_ACCOUNT)
def post_report(person_id: UUID) -> Response:
    """Report a nickname to the administrators."""
    reason = request.form.get("reason", "")
    outcome = attempt(lambda: platform().accounts.report_nickname(str(person_id), reason))
    if outcome.problem is not None:
        return _profile(str(person_id), outcome.problem, reason)
    return go_to(f"/profiles/{person_id}", "reported")


def _profile(person_id: str, problem: ProblemView | None = None, reason: str = "") -> Response:
    client, reads = platform(), page_reads()
    earned = reads.read(client.leaderboard.badges, person_id)
    weeks = reads.read(client.leaderboard.person_weeks, person_id)
    found = client.accounts.nicknames([person_id])
    if not found:
        abort(404)
    badges, by_week = earned.value(), weeks.value()
    return page(
        "profiles/profile.html",
        problem.status if problem else 200,
        person_id=person_id,
        nickname=found[0].nickname,
        is_mine=session.viewer().person_id == person_id,
        badges=badge_views(badges.items) if badges else [],
        errors=count(sum(each.validated_errors for each in by_week.items)) if by_week else None,
        chart=_chart(by_week) if by_week else None,
        problem=problem,
        reason=reason,
    )


def _chart(weeks: PersonWeeks) -> Chart | None:
    """Return the confirmed errors by week; None for fewer than two weeks, which are a sentence."""
    if len(weeks.items) < FEWEST_WEEKS:
        return None
    values = [(each.week, each.validated_errors) for each in reversed(weeks.items)]
    words = _("Weeks with confirmed errors, the newest on the right.")
    return columns("chart-weeks", _("Confirmed errors by week"), words, (_("Week"), _("Confirmed")), values)
