"""Refusals about what people keep of boards."""

from dynabench_common.problems import ErrorMap, Problem, not_found

from leaderboard.domain.shared_boards import MOST_SNAPSHOTS, MOST_VIEWS
from leaderboard.service_layer.shared_boards import (
    NameTaken,
    NotYours,
    SnapshotNotFound,
    TooManySnapshots,
    TooManyViews,
    ViewNotFound,
)


def _not_yours(_error: NotYours) -> Problem:
    return Problem(
        403,
        "view-not-yours",
        "Not yours",
        "Somebody else saved these weights.",
        field="view_id",
        remedy="Save your own under a name.",
    )


def _name_taken(_error: NameTaken) -> Problem:
    return Problem(
        409,
        "view-name-taken",
        "You have one of this name",
        "You saved weights under this name in this task.",
        field="name",
        remedy="Choose another name, or delete the other first.",
    )


def _too_many_views(_error: TooManyViews) -> Problem:
    return Problem(
        409,
        "too-many-views",
        "As many as can be kept",
        "You saved {most} sets of weights in this task, which is as many as one may.",
        remedy="Delete one that you no longer need.",
        parameters={"most": MOST_VIEWS},
    )


def _too_many_snapshots(error: TooManySnapshots) -> Problem:
    return Problem(
        429,
        "too-many-snapshots",
        "As many as a day allows",
        "You froze {most} boards within a day, which is as many as one may.",
        remedy="Try again in {minutes} minutes.",
        headers={"Retry-After": str(error.seconds)},
        parameters={"most": MOST_SNAPSHOTS, "minutes": -(-error.seconds // 60)},
    )


SHARED_BOARD_ERRORS: ErrorMap = {
    ViewNotFound: lambda _error: not_found("view", "view_id"),
    SnapshotNotFound: lambda _error: not_found("snapshot", "snapshot_id"),
    NotYours: _not_yours,
    NameTaken: _name_taken,
    TooManyViews: _too_many_views,
    TooManySnapshots: _too_many_snapshots,
}
