"""Monitor of open rounds' targets: reports when one stops answering, and when it answers again.

Each observation is one transaction of one worker at a time. A worker killed during it has reported nothing.
"""

from dynabench_common.events.outbox import outbox_message
from dynabench_common.telemetry.logging import get_logger
from dynabench_events import Versioned

from registry.adapters.target_looks import SqlTargetLook
from registry.domain.outages import Outage, Sight, after_look, sights
from registry.service_layer.dependencies import WorkerDependencies

log = get_logger(__name__)
LOOK_SECONDS = 5.0


def look_at_targets(app: WorkerDependencies) -> int:
    """Look at the targets once; return the number of events."""
    now = app.clock.now()
    with SqlTargetLook(app.engine) as look:
        if not look.begin():
            return 0
        known, models = look.outages(), look.models()
        names = sorted(look.targets() | {name for name, outage in known.items() if outage.told_at})
        seen = [Sight(name, answers=False, is_known=False) for name in names]
        if models is not None:
            seen = sights(names, models)
        after = [
            after_look(
                known.get(each.serving_name, Outage(each.serving_name)), each, now, app.target_patience
            )
            for each in seen
        ]
        reported = [(outage, event) for outage, event in after if event is not None]
        look.keep(outage for outage, _ in after)
        look.record(outbox_message(Versioned(outage.version, event)) for outage, event in reported)
        look.commit()
    for outage, event in reported:
        log.warning("target_watched", target=outage.serving_name, reported=type(event).__name__)
    return len(reported)
