"""The versions of a task's configuration: their changes, their texts, and a comparison of two."""

from dynabench_common.auth.permissions import Permission, requires
from flask import Blueprint, Response, request

from web.configure.editor_view import diff_lines, version_views
from web.kit import session
from web.kit.configuration import task_rules
from web.kit.dependencies import platform
from web.kit.numbers import moment
from web.kit.rendering import page

PAGE = 20

blueprint = Blueprint("versions", __name__)


@blueprint.get("/tasks/<slug>/versions")
@requires(Permission.USE_PAGES)
def get_versions(slug: str) -> Response:
    """List the versions, newest first; with `from` and `to`, also the differences of their texts."""
    client = platform()
    task = client.annotation.task(slug)
    listed = client.annotation.versions(slug, limit=PAGE, cursor=request.args.get("cursor"))
    chosen = _chosen(task.configuration_version)
    diff = None
    if chosen is not None:
        before, after = (client.annotation.version(slug, number) for number in chosen)
        diff = diff_lines(before.yaml, after.yaml)
    return page(
        "configure/versions.html",
        task=task_rules(task),
        newest=task.configuration_version,
        versions=version_views(listed.items),
        next_cursor=listed.next_cursor,
        is_first=not request.args.get("cursor"),
        chosen=chosen or (max(1, task.configuration_version - 1), task.configuration_version),
        diff=diff,
        owns=session.viewer().owns(slug),
    )


@blueprint.get("/tasks/<slug>/versions/<int:number>")
@requires(Permission.USE_PAGES)
def get_version(slug: str, number: int) -> Response:
    """Show the text of one version."""
    client = platform()
    task = client.annotation.task(slug)
    found = client.annotation.version(slug, number)
    return page(
        "configure/version.html",
        task=task_rules(task),
        newest=task.configuration_version,
        number=found.configuration_version,
        made=moment(found.created_at),
        lines=found.yaml.splitlines(),
        owns=session.viewer().owns(slug),
    )


def _chosen(newest: int) -> tuple[int, int] | None:
    """Return the two versions in the address, if both are possible."""
    numbers = [request.args.get(name, type=int) for name in ("from", "to")]
    before, after = numbers
    if before is None or after is None or not all(1 <= number <= newest for number in (before, after)):
        return None
    return before, after
