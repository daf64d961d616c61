"""Private tasks, which do not exist for callers without access.

A request for a part of such a task goes on with an id that nothing has, so it is answered like one for an unknown id.
Routes that list parts of several tasks leave out those of `hidden_tasks()`. The reasons are in 0001-private-tasks.md.
"""

import time
from collections.abc import Callable, Collection, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID, uuid4

from flask import Flask, Response, current_app, g, request
from sqlalchemy import ColumnElement, Connection, Select, Table, select
from sqlalchemy.dialects.postgresql import distinct_on
from werkzeug.datastructures import MultiDict

from dynabench_common.auth.authentication import Principal
from dynabench_common.auth.permissions import current_principal

INVITED = "invited"
LOOK_SECONDS = 1.0
EXTENSION = "dynabench_private_tasks"
SLUGS = frozenset({"slug", "task", "task_slug"})
"""Parameters that are the address of a task."""
OTHERS = frozenset({"attempt_id", "configuration_version", "person_id", "record_id", "source", "voter_id"})
"""Address parameters that identify something only together with a task, or no part of a task."""
PartOf = Callable[[Any], Select[Any]]


def is_private(configuration: ColumnElement[Any]) -> ColumnElement[bool]:
    """Match the configurations of private tasks."""
    matched: ColumnElement[bool] = configuration["access"].as_string() == INVITED
    return matched


def private_by_newest(configurations: Table) -> Select[Any]:
    """Select the addresses of the private tasks, from a table of the versions of configurations."""
    columns = configurations.c
    newest = (
        select(columns.slug, columns.configuration)
        .ext(distinct_on(columns.task_id))
        .order_by(columns.task_id, columns.configuration_version.desc())
        .subquery("newest")
    )
    return select(newest.c.slug).where(is_private(newest.c.configuration))


@dataclass
class PrivateTasks:
    """A service's private tasks; a change counts within LOOK_SECONDS.

    `slugs` selects their addresses. `parts` has a function for each parameter that names a part of a task: it returns
    the statement that selects the address of the task. `others` are further parameters that name none.
    """

    connect: Callable[[], AbstractContextManager[Connection]]
    slugs: Select[Any]
    parts: Mapping[str, PartOf] = field(default_factory=dict)
    others: Collection[str] = ()
    _known: frozenset[str] = frozenset()
    _known_until: float = float("-inf")

    def install(self, app: Flask) -> None:
        """Hide private tasks in all routes of the app. Raises ValueError for a parameter that nothing is said about."""
        known = {*SLUGS, *OTHERS, *self.parts, *self.others}
        for rule in app.url_map.iter_rules():
            unknown = rule.arguments - known
            if unknown and rule.rule.startswith("/api/") and "openapi" not in rule.endpoint:
                raise ValueError(
                    f"say of which part of a task {sorted(unknown)} of {rule.rule} is the id, or of none"
                )
        app.extensions[EXTENSION] = self
        app.before_request(self._hide)
        app.after_request(_name_what_was_asked)

    def hidden_from(self, principal: Principal) -> frozenset[str]:
        """Return the addresses of the private tasks that the caller does not see."""
        if principal.is_service or principal.is_admin:
            return frozenset()
        return frozenset(each for each in self._private() if not principal.sees(each))

    def _private(self) -> frozenset[str]:
        if time.monotonic() >= self._known_until:
            with self.connect() as connection:
                self._known = frozenset(connection.scalars(self.slugs))
            self._known_until = time.monotonic() + LOOK_SECONDS
        return self._known

    def _hide(self) -> None:
        if not request.view_args and not request.args:
            return
        args = MultiDict(request.args)
        given = [*(request.view_args or {}).items(), *args.items(multi=True)]
        asked = [(name, value) for name, value in given if name in SLUGS or name in self.parts]
        if not asked or not hidden_tasks():
            return
        replaced = {value: _unused(value) for name, value in asked if self._is_hidden(name, value)}
        if not replaced:
            return
        g.replaced = replaced
        request.view_args = {
            name: replaced.get(value, value) for name, value in (request.view_args or {}).items()
        }
        request.args = MultiDict((name, replaced.get(value, value)) for name, value in args.items(multi=True))

    def _is_hidden(self, name: str, value: Any) -> bool:
        if name in SLUGS:
            return value in hidden_tasks()
        key = _key(name, value)
        if key is None:
            return False
        with self.connect() as connection:
            return not hidden_tasks().isdisjoint(connection.scalars(self.parts[name](key)))


def hidden_tasks() -> frozenset[str]:
    """Return the addresses of the private tasks that the caller of the current request does not see."""
    if "hidden_tasks" not in g:
        found: PrivateTasks = current_app.extensions[EXTENSION]
        g.hidden_tasks = found.hidden_from(current_principal())
    hidden: frozenset[str] = g.hidden_tasks
    return hidden


def _key(name: str, value: Any) -> Any:
    """Return the value in the type of its column, None for one that the route will refuse."""
    if isinstance(value, UUID):
        return value
    if not name.endswith("_id"):
        return None if "\x00" in value else value
    try:
        return UUID(value)
    except ValueError:
        return None


def _unused(value: Any) -> Any:
    """Return an id that nothing has."""
    fresh = uuid4()
    if isinstance(value, UUID):
        return fresh
    return str(fresh) if _key("_id", value) else fresh.hex


def _name_what_was_asked(response: Response) -> Response:
    """Put the id that was asked for into an answer that echoes it."""
    replaced: dict[Any, Any] = g.get("replaced", {})
    if replaced and not response.is_streamed:
        content = response.get_data()
        for asked, unused in replaced.items():
            content = content.replace(str(unused).encode(), str(asked).encode())
        response.set_data(content)
    return response
