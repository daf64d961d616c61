"""SIGTERM: open requests are answered, connections end after them, no new connection is accepted."""

import urllib3
from dynabench_common.testing import wait_until

from .conftest import PATIENCE_SECONDS, Gateway, wait_for_calls


def test_a_stop_answers_open_requests_and_those_just_sent(running: Gateway) -> None:
    wait_until(lambda: running.predict("hello").status == 200, PATIENCE_SECONDS, "a first answer")
    running.torchserve.reset()
    running.torchserve.gate.clear()
    open_request = running.later(running.predict, "in hand")
    wait_for_calls(running, 1)
    with urllib3.PoolManager(retries=False) as kept:

        def is_the_last() -> bool:
            answer = kept.request("GET", f"{running.url}/healthz/live", timeout=PATIENCE_SECONDS)
            assert answer.status == 200
            return answer.headers.get("Connection") == "close"

        assert not is_the_last()
        running.process.terminate()
        wait_until(is_the_last, PATIENCE_SECONDS, "the last answer of a connection that is in use")
    wait_until(lambda: not accepts(running), PATIENCE_SECONDS, "the end of new connections")
    assert running.process.poll() is None
    running.torchserve.gate.set()
    assert [entry["text"] for entry in open_request.result().json()["predictions"]] == ["in hand"]
    assert running.process.wait(PATIENCE_SECONDS) == 0


def accepts(gateway: Gateway) -> bool:
    with urllib3.PoolManager(retries=False) as fresh:
        try:
            fresh.request("GET", f"{gateway.url}/healthz/live", timeout=PATIENCE_SECONDS)
        except urllib3.exceptions.HTTPError:
            return False
    return True
