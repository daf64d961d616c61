"""Outage rule: when a target of an open round counts as unavailable, from a series of observations.

The clock of a target runs only while observations follow each other and the model servers answer. If nobody observed,
or if a whole pool was silent, the target's own state is unknown. Then its clock starts again. The rule prefers a late
decision: taking out a healthy target costs its round a segment, a late decision costs only some tries.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from uuid import UUID, uuid5

from dynabench_events import EventRecord
from dynabench_events.model import TargetAnswersAgain, TargetStoppedAnswering

NAMESPACE = UUID("dcc4b4c0-3f2e-4d35-9c39-8e1c5f0c6a71")
LONGEST_GAP = timedelta(seconds=60)
"""Longest gap between two consecutive observations. A longer one starts the clock again."""
LEAST_TO_COMPARE = 2
"""Fewest models for a verdict on a pool. If none of them answers, the pool fails, not each model."""
NOT_SERVED = "it is not served any more"


@dataclass(frozen=True)
class Sight:
    """Result of one observation of a target; `is_known` is False if its model server does not answer."""

    serving_name: str
    answers: bool
    is_known: bool = True
    reason: str = ""


@dataclass(frozen=True)
class SeenModel:
    """Last state of a model in the reconciler; `rests` if its workers are stopped because nobody uses it."""

    serving_name: str
    pool: str
    answers: bool
    rests: bool
    is_server_away: bool
    reason: str


@dataclass(frozen=True)
class Outage:
    """Record of a target: since when it has not answered (None if it does), and whether that was reported."""

    serving_name: str
    version: int = 0
    since: datetime | None = None
    looked_at: datetime | None = None
    told_at: datetime | None = None

    @property
    def target_id(self) -> UUID:
        """Return the id under which events about the target are in order."""
        return uuid5(NAMESPACE, self.serving_name)


def sights(targets: Iterable[str], models: Iterable[SeenModel]) -> list[Sight]:
    """Return an observation of each target."""
    seen = {model.serving_name: model for model in models}
    silent = _silent_pools(seen.values())
    return [_sight(name, seen.get(name), silent) for name in targets]


def after_look(
    before: Outage, sight: Sight, now: datetime, patience: timedelta
) -> tuple[Outage, EventRecord | None]:
    """Return the state after an observation, and the event to record, if any."""
    seen = replace(before, looked_at=now)
    if not sight.is_known:
        return (seen if before.told_at else replace(seen, since=None)), None
    if sight.answers:
        if before.told_at is None:
            return replace(seen, since=None), None
        over = replace(seen, since=None, told_at=None, version=before.version + 1)
        return over, TargetAnswersAgain(
            target_id=before.target_id, serving_name=before.serving_name, noticed_at=now
        )
    if before.told_at is not None:
        return seen, None
    is_unbroken = before.looked_at is not None and now - before.looked_at <= LONGEST_GAP
    since = before.since if before.since is not None and is_unbroken else now
    if now - since < patience:
        return replace(seen, since=since), None
    reported = replace(seen, since=since, told_at=now, version=before.version + 1)
    return reported, TargetStoppedAnswering(
        target_id=before.target_id,
        serving_name=before.serving_name,
        since=since,
        reason=sight.reason,
        noticed_at=now,
    )


def _sight(name: str, model: SeenModel | None, silent: set[str]) -> Sight:
    if model is None:
        return Sight(name, answers=False, reason=NOT_SERVED)
    if model.answers or model.rests:
        return Sight(name, answers=True)
    return Sight(
        name,
        answers=False,
        is_known=not model.is_server_away and model.pool not in silent,
        reason=model.reason,
    )


def _silent_pools(models: Iterable[SeenModel]) -> set[str]:
    """Return the pools without an answering model, among those with enough models."""
    awake = [model for model in models if not model.rests]
    pools = {model.pool for model in awake}
    return {
        pool
        for pool in pools
        if sum(model.pool == pool for model in awake) >= LEAST_TO_COMPARE
        and not any(model.answers for model in awake if model.pool == pool)
    }
