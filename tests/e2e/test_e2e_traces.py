"""A try in the browser is one trace: through pages, annotation and gateway to the model, and through the log."""

from collections.abc import Callable
from secrets import token_hex
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.collector import Collector, Received
from tests.scenarios import PRAISE, TARGET

from .conftest import Member

pytestmark = pytest.mark.slow


def above(span: Received, by_id: dict[str, Received]) -> list[str]:
    """Return the services and names of a span and its ancestors, to the root of the trace."""
    found = []
    while True:
        found.append(f"{span.service} {span.kind}")
        if span.parent_id not in by_id:
            return found
        span = by_id[span.parent_id]


def test_a_try_is_one_trace_through_calls_and_events(
    platform: Any,
    stack_collector: Collector | None,
    new_task: Callable[..., Any],
    new_member: Callable[..., Member],
) -> None:
    collector = stack_collector
    if collector is None:
        pytest.skip("a stack that was started by somebody else sends its traces elsewhere")
    task = new_task()
    round_id = task.open_round()
    member = new_member()
    member.sign_in()
    page = member.open(f"/rounds/{round_id}/create")
    page.fill("textarea[name='input.text']", PRAISE.format("soup"))
    page.check("[name='input.label'][value=negative]")
    trace_id, browser = token_hex(16), token_hex(8)
    page.set_extra_http_headers({"traceparent": f"00-{trace_id}-{browser}-01"})
    page.click("#try-form button[value=submit]")
    expect(page.locator("#verdict-heading")).to_be_visible()
    page.set_extra_http_headers({})

    asked = f"predict {TARGET}"
    wanted = {("validation", "consumer"), ("leaderboard", "consumer")}

    def is_whole(spans: list[Received]) -> bool:
        """Return whether all parent spans have arrived, from the browser to the model and the workers."""
        above_all = {span.parent_id for span in spans} - {span.span_id for span in spans}
        has_model = any(span.name == asked for span in spans)
        return (
            has_model and wanted <= {(span.service, span.kind) for span in spans} and above_all == {browser}
        )

    spans = collector.wait_for(is_whole, trace_id, "the whole trace")
    by_id = {span.span_id: span for span in spans}
    model = next(span for span in spans if span.service == "gateway" and span.name == asked)
    through = ["web client", "web server"]
    assert above(model, by_id) == [
        *("gateway client", "gateway server", "annotation client", "annotation server"),
        *through,
    ]
    for service in ("validation", "leaderboard"):
        taken = next(span for span in spans if (span.service, span.kind) == (service, "consumer"))
        assert above(taken, by_id) == [
            *(f"{service} consumer", "annotation producer", "annotation server"),
            *through,
        ]
