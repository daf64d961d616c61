"""Repeated calls at a release: ask each target three more times about each of its validated errors.

The worker stores results as they arrive. So a worker that takes the release over continues from them and writes the
same files. The calls can't delay a release for long: it retries each call a few times, and gives up a silent target.
After `MOST_SECONDS` the remaining errors count as not tried. So do errors beyond the first `MOST_ERRORS`. Only the
first ones are in memory with their texts.
"""

import time
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby, islice
from operator import attrgetter
from typing import Any

from dynabench_common.telemetry.logging import get_logger
from dynabench_common.work.jobs import Heartbeat

from scoring.domain.errors import InstancesRefused, TargetNotServed, TargetSilent
from scoring.domain.release import Release, Step
from scoring.domain.repeats import TIMES, ErrorToRepeat, Key, Repeats, errors_of
from scoring.domain.round_facts import RoundFacts
from scoring.service_layer.dependencies import WorkerDependencies

log = get_logger(__name__)
AT_ONCE = 16
TRIES_PER_CALL = 3
SILENT_CALLS = 2
"""Number of consecutive failed calls after which the worker gives up a target."""
USUAL_PAUSE_SECONDS, LONGEST_PAUSE_SECONDS = 2.0, 10.0
MOST_SECONDS = 600.0
MOST_ERRORS = 100_000
REPEATED = 0.2
"""Progress of a release when all questions are asked."""


def ask_again(release: Release, beat: Heartbeat, app: WorkerDependencies) -> Repeats:
    """Return how often each validated error of the round repeated. Raises RoundUnknown, LeaseLost.

    No transaction is open while targets are asked.
    """
    with app.snapshot() as facts:
        found = facts.round(release.round_id)
        errors = list(islice(errors_of(found, facts.examples(release.round_id)), MOST_ERRORS))
    with app.unit_of_work() as uow:
        known = dict(uow.releases.repeats(release))
    left = sorted((each for each in errors if each.key not in known), key=attrgetter("target"))
    ends_at, done = time.monotonic() + MOST_SECONDS, len(errors) - len(left)
    for target, of_target in groupby(left, key=attrgetter("target")):
        for results in _of_target(found, target, list(of_target), ends_at, app):
            _keep(release, results, app)
            known.update(results)
            done += len(results)
            beat.show(step=Step.REPEATING, progress=REPEATED * done / len(errors))
    return known


def _keep(release: Release, results: Mapping[Key, int | None], app: WorkerDependencies) -> None:
    with app.unit_of_work() as uow:
        uow.releases.keep_repeats(release, results)
        uow.commit()


def _of_target(
    found: RoundFacts, target: str, errors: Sequence[ErrorToRepeat], ends_at: float, app: WorkerDependencies
) -> Iterator[Mapping[Key, int | None]]:
    """Yield the results of one target, some at a time."""
    silent = 0
    for start in range(0, len(errors), AT_ONCE):
        some = errors[start : start + AT_ONCE]
        if silent >= SILENT_CALLS or time.monotonic() > ends_at:
            yield dict.fromkeys(each.key for each in errors[start:])
            return
        try:
            yield _repeated(target, some, found.digests.get(target, ()), app)
            silent = 0
        except TargetNotServed:
            log.info("target_not_asked_again", target=target, errors=len(errors) - start)
            yield dict.fromkeys(each.key for each in errors[start:])
            return
        except TargetSilent:
            silent += 1
            yield dict.fromkeys(each.key for each in some)


def _repeated(
    target: str, some: Sequence[ErrorToRepeat], digests: Sequence[str], app: WorkerDependencies
) -> Mapping[Key, int | None]:
    """Return how often each repeated. Raises TargetNotServed, TargetSilent."""
    try:
        asked = [_predict(target, some, digests, app) for _ in range(TIMES)]
    except InstancesRefused:
        if len(some) == 1:
            return {some[0].key: None}
        alone = [_repeated(target, [each], digests, app) for each in some]
        return {key: number for each in alone for key, number in each.items()}
    return {
        each.key: sum(each.is_repeated_by(answers[position]) for answers in asked)
        for position, each in enumerate(some)
    }


def _predict(
    target: str, some: Sequence[ErrorToRepeat], digests: Sequence[str], app: WorkerDependencies
) -> Sequence[Mapping[str, Any]]:
    """Return answers of the model that made the errors: another one under the name counts as not served."""
    if app.targets is None:
        raise TargetNotServed(target)
    for attempt in range(1, TRIES_PER_CALL + 1):
        try:
            found = app.targets.predict(target, [each.instance for each in some])
        except TargetSilent as err:
            if attempt == TRIES_PER_CALL:
                raise
            time.sleep(min(err.retry_after_seconds or USUAL_PAUSE_SECONDS, LONGEST_PAUSE_SECONDS))
            continue
        if len(found.answers) != len(some):
            raise TargetSilent
        if digests and found.model_digest not in digests:
            raise TargetNotServed(target)
        return found.answers
    raise TargetSilent
