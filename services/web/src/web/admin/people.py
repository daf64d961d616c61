"""List of people, and administrators' view of a person with its actions."""

from dataclasses import dataclass
from uuid import UUID

from dynabench_client.results.accounts import KnownPerson, ListedPerson
from dynabench_client.results.validation import ValidatorStanding
from dynabench_common.auth.authentication import OWNER_PREFIX
from dynabench_common.auth.permissions import Permission, requires
from flask import Blueprint, Response, request

from web.kit import isolation, session
from web.kit.audit_entries import entry_rows
from web.kit.dependencies import platform
from web.kit.language import N_, _
from web.kit.numbers import TimeView, count, day, moment
from web.kit.outcomes import attempt
from web.kit.parallel import page_reads
from web.kit.people_words import cohort_words, role_words, validator_state
from web.kit.problems import ProblemView
from web.kit.rendering import go_to, page
from web.kit.words import Word

PAGE = 50
ENTRIES = 20
MOST_TASKS = 200
ADMIN, ANNOTATOR = "admin", "annotator"
STATES = {
    False: Word(N_("Active"), "●", "open"),
    True: Word(N_("Disabled"), "✕", "flagged"),
}
PAUSED_BY = {"owner": N_("the task's owner"), "checks": N_("the attention checks")}

blueprint = Blueprint("people", __name__)


@dataclass(frozen=True)
class PersonRow:
    """A person in the list."""

    person_id: str
    name: str
    email: str
    roles: str
    state: Word
    since: TimeView | None


@dataclass(frozen=True)
class RoleView:
    """A role that a person has or can get."""

    role: str
    words: str


@dataclass(frozen=True)
class StandingRow:
    """Standing of a person in a task."""

    task: str
    state: Word
    is_paused: bool
    by: str
    since: TimeView | None
    reason: str
    failures: str
    appeal: str


@dataclass(frozen=True)
class PersonView:
    """Administrators' view of a person."""

    person_id: str
    name: str
    email: str
    cohort: str
    is_self: bool
    state: Word
    is_disabled: bool
    disabled_since: TimeView | None
    disabled_by: str
    disabled_reason: str
    since: TimeView | None
    last_seen: TimeView | None
    has_second_factor: bool
    sessions: str
    tokens: str
    roles: list[RoleView]


@blueprint.get("/people")
@requires(Permission.MANAGE_PEOPLE)
def get_people() -> Response:
    """List people, optionally filtered by user name or mail address."""
    search, cursor = request.args.get("search", "").strip(), request.args.get("cursor")
    accounts, reads = platform().accounts, page_reads()
    after = request.args.get("hidden")
    reported, asked = reads.read(accounts.nickname_reports), reads.read(accounts.task_requests)
    hiding = reads.read(accounts.hidden_nicknames, limit=PAGE, cursor=after)
    found = accounts.people(search=search or None, limit=PAGE, cursor=cursor)
    rows = [_row(person) for person in found.items]
    asking, hidden = asked.value(), hiding.value()
    tasks = reads.read(platform().annotation.tasks, limit=MOST_TASKS).value() if asking else None
    return page(
        "admin/people.html",
        rows=rows,
        search=search,
        reported=reported.value(),
        hidden=hidden.items if hidden else None,
        next_hidden=hidden.next_cursor if hidden else None,
        is_first_hidden=not after,
        asking=asking,
        taken={task.slug for task in tasks.items} if tasks else set(),
        next_cursor=found.next_cursor,
        is_first=not cursor,
    )


@blueprint.post("/people/<uuid:person_id>/nickname")
@requires(Permission.MANAGE_PEOPLE)
def post_nickname(person_id: UUID) -> Response:
    """Hide a reported nickname or keep it, which both close its reports; or show a hidden one again."""
    chosen = request.form.get("state")
    state = "hidden" if chosen == "hidden" else "shown"
    platform().accounts.set_nickname_state(str(person_id), state, request.form.get("reason", ""))
    return go_to("/people", "nickname-shown" if chosen == "again" else "nickname-decided")


@blueprint.post("/people/<uuid:person_id>/task-request")
@requires(Permission.GRANT_ROLES)
def post_task_request(person_id: UUID) -> Response:
    """Grant or refuse a person's request for the right to start a task."""
    state = "granted" if request.form.get("state") == "granted" else "refused"
    slug, answer = request.form.get("task_slug", ""), request.form.get("answer", "")
    platform().accounts.answer_task_request(str(person_id), slug, state, answer)
    return go_to("/people", "task-answered")


@blueprint.get("/people/<uuid:person_id>")
@requires(Permission.MANAGE_PEOPLE)
def get_person(person_id: UUID) -> Response:
    """Show a person."""
    return _person_page(str(person_id))


@blueprint.post("/people/<uuid:person_id>/roles")
@requires(Permission.GRANT_ROLES)
def post_roles(person_id: UUID) -> Response:
    """Give or take a role."""
    role, reason = request.form.get("role", ""), request.form.get("reason", "").strip()
    new_task = request.form.get("new_task", "").strip()
    if new_task:
        role = f"{OWNER_PREFIX}{new_task}"
    is_revoked = request.form.get("change") == "revoke"
    given, taken = ((), (role,)) if is_revoked else ((role,), ())
    accounts = platform().accounts
    outcome = attempt(lambda: accounts.change_roles(str(person_id), grant=given, revoke=taken, reason=reason))
    if outcome.problem is not None:
        return _person_page(str(person_id), roles_problem=outcome.problem, reason=reason, new_task=new_task)
    return go_to(f"/people/{person_id}", "roles-changed")


@blueprint.post("/people/<uuid:person_id>/state")
@requires(Permission.MANAGE_PEOPLE)
def post_state(person_id: UUID) -> Response:
    """Disable a person or enable them again."""
    state = "disabled" if request.form.get("state") == "disabled" else "active"
    reason, accounts = request.form.get("reason", "").strip(), platform().accounts
    outcome = attempt(lambda: accounts.set_person_state(str(person_id), state, reason))
    if outcome.problem is not None:
        return _person_page(str(person_id), state_problem=outcome.problem, reason=reason)
    return go_to(f"/people/{person_id}", f"person-{state}")


@blueprint.post("/people/<uuid:person_id>/second-factor-reset")
@requires(Permission.MANAGE_PEOPLE)
def post_second_factor_reset(person_id: UUID) -> Response:
    """Turn off a person's lost second factor."""
    reason, accounts = request.form.get("reason", "").strip(), platform().accounts
    outcome = attempt(lambda: accounts.reset_second_factor(str(person_id), reason))
    if outcome.problem is not None:
        return _person_page(str(person_id), factor_problem=outcome.problem, reason=reason)
    return go_to(f"/people/{person_id}", "second-factor-reset")


def _person_page(
    person_id: str,
    *,
    roles_problem: ProblemView | None = None,
    state_problem: ProblemView | None = None,
    factor_problem: ProblemView | None = None,
    reason: str = "",
    new_task: str = "",
) -> Response:
    client, reads, cursor = platform(), page_reads(), request.args.get("cursor")
    found = reads.read(client.accounts.person, person_id)
    standings = reads.read(client.validation.standings_of, person_id)
    tasks = reads.read(client.annotation.tasks, limit=MOST_TASKS)
    entries = reads.read(client.accounts.audit, object_id=person_id, limit=ENTRIES, cursor=cursor)
    person, log, known_tasks = person_view(found.needed()), entries.value(), tasks.value()
    stands, problem = standings.value(), roles_problem or state_problem or factor_problem
    return page(
        "admin/person.html",
        problem.status if problem else 200,
        person=person,
        grantable=grantable(person, [task.slug for task in known_tasks.items] if known_tasks else []),
        standings=None if stands is None else [standing_row(each) for each in stands],
        entries=None if log is None else entry_rows(log.items),
        next_cursor=log.next_cursor if log else None,
        is_first=not cursor,
        roles_problem=roles_problem,
        state_problem=state_problem,
        factor_problem=factor_problem,
        reason=reason,
        new_task=new_task,
    )


def person_view(found: KnownPerson) -> PersonView:
    """Return the view of a person."""
    is_disabled = found.disabled_at is not None
    return PersonView(
        person_id=found.person_id,
        name=found.user_name,
        email=found.email,
        cohort=cohort_words(found.cohort),
        is_self=found.person_id == session.viewer().person_id,
        state=_state(is_disabled),
        is_disabled=is_disabled,
        disabled_since=moment(found.disabled_at),
        disabled_by=found.disabled_by_name or _("an operator"),
        disabled_reason=found.disabled_reason or "",
        since=day(found.registered_at),
        last_seen=moment(found.last_seen_at),
        has_second_factor=found.has_second_factor,
        sessions=count(found.sessions),
        tokens=count(found.api_tokens),
        roles=[RoleView(role, role_words(role)) for role in found.roles if role != ANNOTATOR],
    )


def grantable(person: PersonView, slugs: list[str]) -> list[RoleView]:
    """Return the roles that a person does not have yet."""
    present = {each.role for each in person.roles}
    possible = [*(OWNER_PREFIX + slug for slug in sorted(slugs)), ADMIN]
    return [RoleView(role, role_words(role)) for role in possible if role not in present]


def standing_row(found: ValidatorStanding) -> StandingRow:
    """Return a person's state in a task, with the reason for any pause."""
    by = _(PAUSED_BY[found.paused_by]) if found.paused_by in PAUSED_BY else ""
    failed = _("failed %(number)s of the last 20 known answers", number=count(found.failures))
    return StandingRow(
        task=found.task_slug,
        state=validator_state(found.state),
        is_paused=found.state == "paused",
        by=by,
        since=moment(found.paused_at),
        reason=found.reason or (failed if found.state != "active" else ""),
        failures=count(found.failures),
        appeal=found.appeal.reason if found.appeal else "",
    )


def _row(person: ListedPerson) -> PersonRow:
    roles = [role_words(role) for role in person.roles if role != ANNOTATOR]
    return PersonRow(
        person_id=person.person_id,
        name=person.user_name,
        email=person.email,
        roles=isolation.names(roles),
        state=_state(person.disabled_at is not None),
        since=day(person.registered_at),
    )


def _state(is_disabled: bool) -> Word:
    word = STATES[is_disabled]
    return Word(_(word.text), word.sign, word.style)
