"""The permission table of the whole platform.

A route names its permission with `@requires`. If a right depends on the ownership of a task, the decorator lets owners
of any task pass. The handler then narrows it with `ensure(permission, task=slug)` once it knows the task. A service may
do what SERVICES lists for it, and what anybody may.
"""

from collections.abc import Callable, Mapping
from enum import StrEnum
from functools import wraps
from typing import ParamSpec, TypeVar
from uuid import UUID

from flask import g

from dynabench_common.auth.authentication import ANONYMOUS, Principal, token_problem
from dynabench_common.problems import Problem
from dynabench_common.service_tokens import CALLERS

P = ParamSpec("P")
R = TypeVar("R")
Predicate = Callable[[Principal, str | None], bool]
ATTRIBUTE = "__dynabench_permission__"


class Permission(StrEnum):
    """Everything that can be allowed."""

    READ_PUBLIC = "read public figures, tasks and keys"
    SIGN_UP = "sign up or sign in"
    READ_SELF = "read one's own account"
    READ_OWNERS = "read who looks after a task"
    READ_ENDED_SESSIONS = "read which sessions have ended"
    MANAGE_OWN_TOKENS = "manage one's own API tokens"
    CHANGE_OWN_ACCOUNT = "change one's own password or mail address"
    MANAGE_OWN_NOTICES = "choose one's notices, and mark them as read"
    GRANT_ROLES = "grant roles"
    MANAGE_GROUPS = "make groups of people"
    USE_INVITATION = "use an invitation to a task"
    MANAGE_PEOPLE = "find people, and disable or enable them"
    FIND_PEOPLE = "find people by their user names"
    ASK_FOR_TASK = "ask for the right to start a task"
    CREATE_TASK = "create a task"
    MANAGE_TASK = "change a task, its rounds and its contexts"
    ADD_IMAGE = "add an image to a task"
    CREATE_EXAMPLE = "create examples in a round"
    READ_EXAMPLE = "read an example"
    CHANGE_OWN_EXAMPLE = "retract or explain one's own example"
    INSPECT_EXAMPLE = "inspect a model on an example"
    FLAG_CONTEXT = "report a context"
    PROBE_MODELS = "try models outside of rounds"
    ASK_FRONT_MODEL = "try the demo model"
    VALIDATE = "check examples"
    READ_RESOLUTION = "read how an example was resolved"
    READ_VOTES = "read the votes on an example"
    APPEAL = "appeal against a decision on one's own work"
    ADJUDICATE = "decide on disputed examples"
    READ_VALIDATORS = "read figures of checkers"
    IMPORT_ROUND = "import a round"
    RELEASE_ROUND = "release a round"
    READ_DATASET = "read a dataset"
    REPORT_EXAMPLE = "report a public example"
    HIDE_EXAMPLE = "hide an example"
    MODERATE_EXAMPLES = "decide about public examples"
    EXPORT_ROUND = "export a round in progress"
    EXPORT_OWN_WORK = "export one's own work"
    SHARE_BOARD = "keep weights of a board under a name, and freeze boards"
    READ_STANDING = "read the overview of a round"
    READ_AUDIT = "read the audit log"
    READ_HEALTH = "read the health of services"
    USE_CONSOLE = "open the administrators' console"
    MANAGE_DEAD_LETTERS = "retry or discard failed events"
    COUNT_PROBES = "report calls that people made elsewhere"
    USE_MODELS = "ask models directly"
    ASK_TARGETS = "ask models of rounds in progress directly"
    SUBMIT_MODEL = "submit models and look after them"
    DECIDE_ON_MODELS = "decide which models run"
    ASK_FOR_PEOPLE = "ask models on behalf of a person"
    READ_MODELS = "list served models"
    READ_DECLARED_MODELS = "list declared models"
    START_WORKERS = "start a model's workers"
    DIRECT_MODEL_SERVERS = "direct model servers"
    MANAGE_CAMPAIGNS = "run campaigns that pay people"
    ADMIT_CROWD = "admit people of campaigns"
    ACCEPT_ENTRIES = "accept people that crowd platforms send"
    DO_PAID_WORK = "do paid work"
    USE_PAGES = "open public pages"
    USE_OWN_PAGES = "open pages of a signed-in person"


def _anyone(_principal: Principal, _task: str | None) -> bool:
    return True


def _person(principal: Principal, _task: str | None) -> bool:
    return principal.person_id is not None


def _annotator(principal: Principal, _task: str | None) -> bool:
    return principal.person_id is not None and "annotator" in principal.roles


def _admin(principal: Principal, _task: str | None) -> bool:
    return principal.is_admin


def _no_person(_principal: Principal, _task: str | None) -> bool:
    return False


def _owner(principal: Principal, task: str | None) -> bool:
    return bool(principal.owned_tasks) if task is None else principal.owns(task)


def _any_of(*predicates: Predicate) -> Predicate:
    def allowed(principal: Principal, task: str | None) -> bool:
        return any(predicate(principal, task) for predicate in predicates)

    return allowed


RULES: Mapping[Permission, Predicate] = {
    Permission.READ_PUBLIC: _anyone,
    Permission.SIGN_UP: _anyone,
    Permission.READ_SELF: _person,
    Permission.READ_OWNERS: _person,
    Permission.READ_ENDED_SESSIONS: _no_person,
    Permission.MANAGE_OWN_TOKENS: _person,
    Permission.CHANGE_OWN_ACCOUNT: _person,
    Permission.MANAGE_OWN_NOTICES: _person,
    Permission.GRANT_ROLES: _admin,
    Permission.MANAGE_GROUPS: _any_of(_admin, _owner),
    Permission.USE_INVITATION: _annotator,
    Permission.MANAGE_PEOPLE: _admin,
    Permission.FIND_PEOPLE: _any_of(_admin, _owner),
    Permission.ASK_FOR_TASK: _person,
    Permission.CREATE_TASK: _any_of(_admin, _owner),
    Permission.MANAGE_TASK: _any_of(_admin, _owner),
    Permission.ADD_IMAGE: _any_of(_admin, _owner, _annotator),
    Permission.CREATE_EXAMPLE: _annotator,
    Permission.READ_EXAMPLE: _person,
    Permission.CHANGE_OWN_EXAMPLE: _person,
    Permission.INSPECT_EXAMPLE: _person,
    Permission.FLAG_CONTEXT: _annotator,
    Permission.PROBE_MODELS: _any_of(_annotator, _owner, _admin),
    Permission.ASK_FRONT_MODEL: _anyone,
    Permission.VALIDATE: _annotator,
    Permission.READ_RESOLUTION: _person,
    Permission.READ_VOTES: _any_of(_admin, _owner),
    Permission.APPEAL: _person,
    Permission.ADJUDICATE: _any_of(_admin, _owner),
    Permission.READ_VALIDATORS: _any_of(_admin, _owner),
    Permission.IMPORT_ROUND: _any_of(_admin, _owner),
    Permission.RELEASE_ROUND: _any_of(_admin, _owner),
    Permission.READ_DATASET: _anyone,
    Permission.REPORT_EXAMPLE: _person,
    Permission.HIDE_EXAMPLE: _person,
    Permission.MODERATE_EXAMPLES: _any_of(_admin, _owner),
    Permission.EXPORT_ROUND: _any_of(_admin, _owner),
    Permission.EXPORT_OWN_WORK: _person,
    Permission.SHARE_BOARD: _person,
    Permission.READ_STANDING: _any_of(_admin, _owner),
    Permission.READ_AUDIT: _any_of(_admin, _owner),
    Permission.READ_HEALTH: _any_of(_admin, _owner),
    Permission.USE_CONSOLE: _admin,
    Permission.MANAGE_DEAD_LETTERS: _admin,
    Permission.COUNT_PROBES: _no_person,
    Permission.USE_MODELS: _person,
    Permission.ASK_TARGETS: _any_of(_admin, _owner),
    Permission.SUBMIT_MODEL: _person,
    Permission.DECIDE_ON_MODELS: _any_of(_admin, _owner),
    Permission.READ_MODELS: _person,
    Permission.ASK_FOR_PEOPLE: _no_person,
    Permission.READ_DECLARED_MODELS: _no_person,
    Permission.START_WORKERS: _no_person,
    Permission.DIRECT_MODEL_SERVERS: _no_person,
    Permission.MANAGE_CAMPAIGNS: _any_of(_admin, _owner),
    Permission.ADMIT_CROWD: _no_person,
    Permission.ACCEPT_ENTRIES: _no_person,
    Permission.DO_PAID_WORK: _person,
    Permission.USE_PAGES: _anyone,
    Permission.USE_OWN_PAGES: _person,
}
"""The rule of each permission for people and for anonymous callers."""

SERVICES: Mapping[Permission, frozenset[str]] = {
    Permission.READ_ENDED_SESSIONS: frozenset(CALLERS),
    Permission.COUNT_PROBES: frozenset({"gateway"}),
    Permission.USE_MODELS: frozenset({"annotation", "registry", "scoring"}),
    Permission.ASK_TARGETS: frozenset({"annotation", "registry", "scoring"}),
    Permission.ASK_FOR_PEOPLE: frozenset({"annotation"}),
    Permission.READ_MODELS: frozenset({"annotation", "scoring"}),
    Permission.READ_DECLARED_MODELS: frozenset({"gateway"}),
    Permission.START_WORKERS: frozenset({"gateway"}),
    Permission.DIRECT_MODEL_SERVERS: frozenset({"registry"}),
    Permission.ADMIT_CROWD: frozenset({"crowd"}),
    Permission.ACCEPT_ENTRIES: frozenset({"web"}),
}
"""The services that have each permission in addition, by name: those that need it."""


def is_allowed(permission: Permission, principal: Principal, task: str | None = None) -> bool:
    """Return whether the table allows it; with `task`, owners are those of that task."""
    if principal.service in SERVICES.get(permission, frozenset()):
        return True
    return RULES[permission](principal, task)


def current_principal() -> Principal:
    """Return the caller of the current request."""
    principal: Principal = g.get("principal", ANONYMOUS)
    return principal


def signed_in_person() -> UUID:
    """Return the id of the caller, on routes whose permission lets only people in."""
    person_id = current_principal().person_id
    if person_id is None:
        raise TypeError("this route needs a permission that only people hold")
    return person_id


def ensure(permission: Permission, task: str | None = None) -> Principal:
    """Return the caller if the table allows it.

    Raises Problem 401 for an anonymous caller, 403 for any other.
    """
    principal = current_principal()
    if is_allowed(permission, principal, task):
        return principal
    if principal.service is not None:
        raise _service_refused(permission, principal.service)
    if principal.person_id is None:
        parameters = {"permission": permission.value}
        raise token_problem("token-missing", "You must sign in to {permission}.", parameters)
    if principal.lacks_second_factor:
        raise Problem(
            403,
            "second-factor-missing",
            "Second factor missing",
            "Your roles count once your account has a second factor.",
            remedy="Set up a second factor on the page of your account.",
        )
    raise Problem(
        403,
        "not-allowed",
        "Not allowed",
        "Your roles in task {task} do not let you {permission}."
        if task
        else "Your roles do not let you {permission}.",
        remedy="Ask an administrator or the task's owner.",
        parameters={"permission": permission.value, **({"task": task} if task else {})},
    )


def _service_refused(permission: Permission, service: str) -> Problem:
    return Problem(
        403,
        "not-allowed",
        "Not allowed",
        "The service {service} may not {permission}.",
        remedy="Services may do what the platform's table of permissions names them for: add it there if it is needed.",
        parameters={"service": service, "permission": permission.value},
    )


def requires(permission: Permission) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Mark a route with the permission it needs, and check it before the route runs."""

    def decorate(view: Callable[P, R]) -> Callable[P, R]:
        @wraps(view)
        def checked(*args: P.args, **kwargs: P.kwargs) -> R:
            ensure(permission)
            return view(*args, **kwargs)

        setattr(checked, ATTRIBUTE, permission)
        return checked

    return decorate
