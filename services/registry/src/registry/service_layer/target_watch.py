"""Monitor of open rounds' targets: reports when one stops answering, and when it answers again.

Each observation is one transaction of one worker at a time. A worker killed during it has reported nothing.
"""

import threading
from collections.abc import Callable
from datetime import timedelta

from dynabench_common.clock import Clock
from dynabench_common.event_records import outbox_message
from dynabench_common.logging import get_logger
from dynabench_events import Versioned

from registry.adapters.target_looks import SqlTargetLook
from registry.domain.outages import Outage, Sight, after_look, sights

log = get_logger(__name__)
LOOK_SECONDS = 5.0


class TargetWatch:
    """A worker's component; an outage of the database only postpones its looks."""

    name = "targets"

    def __init__(self, make_look: Callable[[], SqlTargetLook], clock: Clock, patience: timedelta) -> None:
        self._make_look = make_look
        self._clock = clock
        self._patience = patience

    def run(self, stop: threading.Event) -> None:
        """Look now and then until `stop`."""
        while not stop.is_set():
            try:
                self.look()
            except Exception as err:
                log.warning("look_postponed", reason=f"{type(err).__name__}: {err}"[:300])
            stop.wait(LOOK_SECONDS)

    def look(self) -> int:
        """Look at the targets once; return of how many something was told."""
        now = self._clock.now()
        with self._make_look() as look:
            if not look.begin():
                return 0
            known, models = look.outages(), look.models()
            names = sorted(look.targets() | {name for name, outage in known.items() if outage.told_at})
            seen = [Sight(name, answers=False, is_known=False) for name in names]
            if models is not None:
                seen = sights(names, models)
            after = [
                after_look(known.get(each.serving_name, Outage(each.serving_name)), each, now, self._patience)
                for each in seen
            ]
            told = [(outage, event) for outage, event in after if event is not None]
            look.keep(outage for outage, _ in after)
            look.record(outbox_message(Versioned(outage.version, event)) for outage, event in told)
            look.commit()
        for outage, event in told:
            log.warning("target_watched", target=outage.serving_name, told=type(event).__name__)
        return len(told)
