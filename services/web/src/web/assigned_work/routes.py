"""The owner's page of assigned work: a table with progress, and the forms that assign, reassign and withdraw."""

import re
from collections.abc import Collection, Mapping, Sequence
from datetime import date
from functools import partial
from uuid import UUID

from dynabench_common.auth.permissions import Permission, ensure, requires
from flask import Blueprint, Response, request

from web.assigned_work.orders_view import order_rows
from web.kit import form, isolation
from web.kit.assigned_work import begin_progress
from web.kit.configuration import task_rules
from web.kit.dependencies import dependencies, platform
from web.kit.language import _
from web.kit.outcomes import Outcome, attempt, optional
from web.kit.paid_work import CREATE, VALIDATE
from web.kit.problems import ProblemView
from web.kit.questions import refusal
from web.kit.rendering import go_to, page
from web.kit.rounds import TAKES_VOTES, UNFINISHED, round_view

PAGE = 50
MOST_PEOPLE = 100
BETWEEN_NAMES = re.compile(r"[\s,;]+")
LONGEST_NAME = 40
FIELDS = ("people", "group", "work", "round_id", "units", "due_on", "topic")
UNITS = re.compile(r"[0-9]{1,4}")

blueprint = Blueprint("assigned_work", __name__, url_prefix="/tasks/<slug>/assigned-work")


@blueprint.get("")
@requires(Permission.MANAGE_TASK)
def get_orders(slug: str) -> Response:
    """List the assigned work; in the form, contexts are chosen by `context`, and examples to check by `example`."""
    ensure(Permission.MANAGE_TASK, task=slug)
    return _page(slug)


@blueprint.post("")
@requires(Permission.MANAGE_TASK)
def post_orders(slug: str) -> Response:
    """Assign work to people."""
    ensure(Permission.MANAGE_TASK, task=slug)
    people, amount = _people(), _amount()
    if people.value is None or amount.value is None:
        return _page(slug, people.problem or amount.problem)
    assign = partial(
        platform().annotation.assign_work,
        request.form.get("round_id", ""),
        people.value,
        VALIDATE if request.form.get("work") == VALIDATE else CREATE,
        *amount.value,
        topic=form.text("topic"),
        context_ids=request.form.getlist("context"),
        example_ids=request.form.getlist("example"),
    )
    outcome = attempt(assign)
    if outcome.problem is not None:
        return _page(slug, outcome.problem, names=people.value.values())
    return go_to(f"/tasks/{slug}/assigned-work", "work-assigned")


@blueprint.post("/<uuid:order_id>/withdrawal")
@requires(Permission.MANAGE_TASK)
def post_withdrawal(slug: str, order_id: UUID) -> Response:
    """Withdraw assigned work."""
    ensure(Permission.MANAGE_TASK, task=slug)
    outcome = attempt(partial(platform().annotation.withdraw_work, str(order_id)))
    return _answer(slug, outcome, "work-withdrawn")


@blueprint.post("/<uuid:order_id>/reassignment")
@requires(Permission.MANAGE_TASK)
def post_reassignment(slug: str, order_id: UUID) -> Response:
    """Give what is left of assigned work to another person."""
    ensure(Permission.MANAGE_TASK, task=slug)
    people, amount = _people(), _amount()
    if people.value is None or amount.value is None:
        return _page(slug, people.problem or amount.problem, str(order_id))
    (person, *others) = people.value.items()
    if others:
        one = refusal("people", _("These are several people."), _("Name one person."))
        return _page(slug, one, str(order_id))
    reassign = partial(platform().annotation.reassign_work, str(order_id), *person, *amount.value)
    return _answer(slug, attempt(reassign), "work-reassigned", str(order_id))


def _answer(slug: str, outcome: Outcome[None], done: str, order_id: str = "") -> Response:
    if outcome.problem is not None:
        return _page(slug, outcome.problem, order_id)
    return go_to(f"/tasks/{slug}/assigned-work", done)


def _people() -> Outcome[dict[str, str]]:
    """Return the names of the form's people and of the people of its group, by their ids."""
    given, group_id = request.form.get("people", "").lower(), request.form.get("group", "")
    names = [each for each in dict.fromkeys(BETWEEN_NAMES.split(given)) if each]
    of_group = attempt(partial(_group_people, group_id))
    if of_group.value is None:
        return of_group
    problem = _flaw(names, group_id, of_group.value)
    named = Outcome(problem=problem) if problem else _named(names)
    if named.value is None:
        return named
    return Outcome(value={**of_group.value, **named.value})


def _group_people(group_id: str) -> dict[str, str]:
    """Return the names of a group's people, by their ids; nobody if no group is chosen."""
    if not group_id:
        return {}
    return {each.person_id: each.user_name for each in platform().accounts.group(group_id).people}


def _flaw(names: Sequence[str], group_id: str, of_group: Mapping[str, str]) -> ProblemView | None:
    """Return why work can't be assigned to so many people, or to so few."""
    people = {*names, *of_group.values()}
    if len(people) > MOST_PEOPLE:
        remedy = _("Assign the work to at most %(number)s people at once.", number=MOST_PEOPLE)
        return refusal("people", _("These are too many people."), remedy)
    if people:
        return None
    if group_id:
        detail = _("There is nobody in this group.")
        return refusal("group", detail, _("Add people to it first, or write user names."))
    return refusal("people", _("No user name is given."), _("Name at least one person."))


def _named(names: Sequence[str]) -> Outcome[dict[str, str]]:
    """Return the names of people, by their ids."""
    found = attempt(lambda: platform().accounts.named(names) if names else ())
    if found.value is None:
        return Outcome(problem=found.problem)
    known = {each.user_name: each.person_id for each in found.value}
    unknown = [name[:LONGEST_NAME] for name in names if name not in known]
    if unknown:
        detail = _("Nobody here has this user name: %(names)s.", names=isolation.names(unknown))
        return Outcome(problem=refusal("people", detail, _("Check the spelling. Nothing was assigned.")))
    return Outcome(value={person_id: name for name, person_id in known.items()})


def _amount() -> Outcome[tuple[int, date]]:
    """Return the number of texts and the last day."""
    units, due_on = form.text("units"), form.text("due_on")
    if not UNITS.fullmatch(units):
        detail = _("The number of texts is missing or can't be read.")
        return Outcome(problem=refusal("units", detail, _("Write a number from 1 to 1000.")))
    try:
        return Outcome(value=(int(units), date.fromisoformat(due_on)))
    except ValueError:
        detail = _("The last day is missing or can't be read.")
        return Outcome(problem=refusal("due_on", detail, _("Write it as year-month-day, or choose it.")))


def _page(
    slug: str, problem: ProblemView | None = None, order_id: str = "", names: Collection[str] = ()
) -> Response:
    """Show the page; a `problem` belongs to the form that assigns, or to that of the order.

    Where `names` are given, they take the place of the form's people and group, so that some can be left out.
    """
    given = {name: "" if order_id else request.values.get(name, "") for name in FIELDS}
    if names:
        given |= {"people": "\n".join(names), "group": ""}
    client, cursor = platform(), request.args.get("cursor")
    task = client.annotation.task(slug)
    listed = client.annotation.work_orders(slug, limit=PAGE, cursor=cursor)
    rounds = sorted(task.rounds, key=lambda found: -found.number)
    usable = [each for each in rounds if each.state in UNFINISHED | TAKES_VOTES]
    return page(
        "assigned_work/page.html",
        problem.status if problem else 200,
        task=task_rules(task),
        rows=order_rows(listed.items, begin_progress(listed.items), rounds),
        rounds=[round_view(each) for each in usable],
        is_first=not cursor,
        next_cursor=listed.next_cursor,
        given=given,
        given_again={name: request.form.get(name, "") for name in FIELDS},
        contexts=request.values.getlist("context"),
        examples=request.values.getlist("example"),
        groups=optional(client.accounts.groups) or (),
        today=dependencies().clock.now().date().isoformat(),
        problem=problem,
        problem_of=order_id,
    )
