"""Webhooks: one call to the submitter's address for each change of a step, retried for a day.

A retried call may arrive after later ones. `at` in each body is the time of the change.
"""

from datetime import timedelta

from dynabench_common.telemetry.logging import get_logger

from registry.adapters.webhook_calls import SqlCalls
from registry.domain.errors import CallFailed
from registry.service_layer.dependencies import Dependencies

log = get_logger(__name__)
LOOK_SECONDS = 1.0
MOST_ATTEMPTS = 8
FIRST_PAUSE_SECONDS = 5.0


def call_due(app: Dependencies) -> bool:
    """Make one call, if one is due; tell whether there was one."""
    calls = SqlCalls(app.engine)
    call = calls.take(app.clock.now(), hold_seconds=60.0)
    if call is None:
        return False
    try:
        app.webhooks(call.url, call.secret, call.body)
    except CallFailed as err:
        now = app.clock.now()
        if err.is_final or call.attempts >= MOST_ATTEMPTS:
            calls.end(call, now, f"given up: {err}")
        else:
            pause = FIRST_PAUSE_SECONDS * 4 ** (call.attempts - 1)
            calls.try_again(call, now + timedelta(seconds=pause), str(err))
    else:
        calls.end(call, app.clock.now(), "delivered")
    return True
