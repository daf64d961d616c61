"""Refusals as problems."""

from dynabench_common.problems import ErrorMap, Problem, not_found, refusal, unavailable

from leaderboard.adapters.standing_read_model import NoReadModel
from leaderboard.domain.errors import (
    NameTaken,
    NotYours,
    RoundNotFound,
    SnapshotNotFound,
    TaskNotFound,
    TooManySnapshots,
    TooManyViews,
    ViewNotFound,
)
from leaderboard.domain.ranking.dynascore import NoScore


def _not_built(error: NoReadModel) -> Problem:
    return unavailable(
        "boards-being-built", "The boards are being built", "Just now {what}.", 10, {"what": str(error)}
    )


def _no_score(error: NoScore) -> Problem:
    return Problem(
        422,
        "weights-unusable",
        "These weights can't be used",
        "{reason}.",
        field="weights",
        remedy="Give a weight above 0 to a measured dimension and to a measured dataset.",
        parameters={"reason": str(error)},
    )


def _too_many_snapshots(error: TooManySnapshots) -> Problem:
    return Problem(
        429,
        "too-many-snapshots",
        "Daily limit reached",
        "You froze {most} boards within a day, the most allowed.",
        remedy="Try again in {minutes} minutes.",
        headers={"Retry-After": str(error.seconds)},
        parameters={"most": error.most, "minutes": -(-error.seconds // 60)},
    )


ERRORS: ErrorMap = {
    NoScore: _no_score,
    TaskNotFound: lambda _error: not_found("task", "slug"),
    RoundNotFound: lambda _error: not_found("round", "round_id"),
    NoReadModel: _not_built,
    ViewNotFound: lambda _error: not_found("view", "view_id"),
    SnapshotNotFound: lambda _error: not_found("snapshot", "snapshot_id"),
    NotYours: refusal(
        403,
        "view-not-yours",
        "Not yours",
        "Somebody else saved these weights.",
        field="view_id",
        remedy="Save your own under a name.",
    ),
    NameTaken: refusal(
        409,
        "view-name-taken",
        "Name already used",
        "You saved weights under this name in this task.",
        field="name",
        remedy="Choose another name, or delete the other first.",
    ),
    TooManyViews: refusal(
        409,
        "too-many-views",
        "Limit reached",
        "You saved {most} sets of weights in this task, the most allowed.",
        remedy="Delete one that you no longer need.",
    ),
    TooManySnapshots: _too_many_snapshots,
}
