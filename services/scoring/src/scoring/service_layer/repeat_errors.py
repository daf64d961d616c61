"""Repeated calls at a release: ask each target three more times about each of its validated errors.

Results are stored as they come. So a worker that takes the release over continues from them and writes the same files.
The calls can't delay a release for long. Each call is tried a few times, and a silent target is given up. After
`MOST_SECONDS` the remaining errors count as not tried. So do errors beyond the first `MOST_ERRORS`; those first ones
are in memory with their texts.
"""

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import groupby, islice
from operator import attrgetter
from typing import Any

from dynabench_common.logging import get_logger

from scoring.adapters.target_gateway import GatewayTargets
from scoring.adapters.unit_of_work import MakeUnitOfWork, OpenSnapshot
from scoring.domain.errors import InstancesRefused, TargetNotServed, TargetSilent
from scoring.domain.release import Release, Step
from scoring.domain.repeats import TIMES, ErrorToRepeat, Key, Repeats, errors_of
from scoring.domain.round_facts import RoundFacts
from scoring.service_layer.heartbeat import Heartbeat

log = get_logger(__name__)
AT_ONCE = 16
TRIES_PER_CALL = 3
SILENT_CALLS = 2
"""After so many calls in a row that came to nothing a target is given up."""
USUAL_PAUSE_SECONDS, LONGEST_PAUSE_SECONDS = 2.0, 10.0
MOST_SECONDS = 600.0
MOST_ERRORS = 100_000
REPEATED = 0.2
"""How far a release has come when all is asked."""


class ErrorRepeater:
    """Asks again, and keeps what came of it; without `targets` nobody serves anything."""

    def __init__(
        self,
        make_uow: MakeUnitOfWork,
        targets: GatewayTargets | None,
        wait: Callable[[float], None] = time.sleep,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self._make_uow = make_uow
        self._targets = targets
        self._wait = wait
        self._monotonic = monotonic

    def ask(self, release: Release, open_snapshot: OpenSnapshot, beat: Heartbeat) -> Repeats:
        """Return how often each validated error of the round repeated. Raises RoundUnknown, LeaseLost.

        No transaction is open while targets are asked.
        """
        with open_snapshot() as facts:
            found = facts.round(release.round_id)
            errors = list(islice(errors_of(found, facts.examples(release.round_id)), MOST_ERRORS))
        with self._make_uow() as uow:
            known = dict(uow.releases.repeats(release))
        left = sorted((each for each in errors if each.key not in known), key=attrgetter("target"))
        ends_at, done = self._monotonic() + MOST_SECONDS, len(errors) - len(left)
        for target, of_target in groupby(left, key=attrgetter("target")):
            for results in self._of_target(found, target, list(of_target), ends_at):
                self._keep(release, results)
                known.update(results)
                done += len(results)
                beat.show(step=Step.REPEATING, progress=REPEATED * done / len(errors))
        return known

    def _keep(self, release: Release, results: Mapping[Key, int | None]) -> None:
        with self._make_uow() as uow:
            uow.releases.keep_repeats(release, results)
            uow.commit()

    def _of_target(
        self, found: RoundFacts, target: str, errors: Sequence[ErrorToRepeat], ends_at: float
    ) -> Iterator[Mapping[Key, int | None]]:
        """Yield the results of one target, some at a time."""
        silent = 0
        for start in range(0, len(errors), AT_ONCE):
            some = errors[start : start + AT_ONCE]
            if silent >= SILENT_CALLS or self._monotonic() > ends_at:
                yield dict.fromkeys(each.key for each in errors[start:])
                return
            try:
                yield self._repeated(target, some, found.digests.get(target, ()))
                silent = 0
            except TargetNotServed:
                log.info("target_not_asked_again", target=target, errors=len(errors) - start)
                yield dict.fromkeys(each.key for each in errors[start:])
                return
            except TargetSilent:
                silent += 1
                yield dict.fromkeys(each.key for each in some)

    def _repeated(
        self, target: str, some: Sequence[ErrorToRepeat], digests: Sequence[str]
    ) -> Mapping[Key, int | None]:
        """Return how often each repeated. Raises TargetNotServed, TargetSilent."""
        try:
            asked = [self._predict(target, some, digests) for _ in range(TIMES)]
        except InstancesRefused:
            if len(some) == 1:
                return {some[0].key: None}
            alone = [self._repeated(target, [each], digests) for each in some]
            return {key: number for each in alone for key, number in each.items()}
        return {
            each.key: sum(each.is_repeated_by(answers[position]) for answers in asked)
            for position, each in enumerate(some)
        }

    def _predict(
        self, target: str, some: Sequence[ErrorToRepeat], digests: Sequence[str]
    ) -> Sequence[Mapping[str, Any]]:
        """Return answers of the model that made the errors: another one under the name counts as not served."""
        if self._targets is None:
            raise TargetNotServed(target)
        for attempt in range(1, TRIES_PER_CALL + 1):
            try:
                found = self._targets.predict(target, [each.instance for each in some])
            except TargetSilent as err:
                if attempt == TRIES_PER_CALL:
                    raise
                self._wait(min(err.retry_after_seconds or USUAL_PAUSE_SECONDS, LONGEST_PAUSE_SECONDS))
                continue
            if len(found.answers) != len(some):
                raise TargetSilent
            if digests and found.model_digest not in digests:
                raise TargetNotServed(target)
            return found.answers
        raise TargetSilent
