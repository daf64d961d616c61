"""SIGTERM: what is in hand is answered, idle connections are hung up, nothing new is accepted."""

import urllib3
from dynabench_common.testing import wait_until

from .conftest import PATIENCE_SECONDS, Gateway, wait_for_calls


def test_a_stop_answers_what_is_in_hand(running: Gateway) -> None:
    wait_until(lambda: running.predict("hello").status == 200, PATIENCE_SECONDS, "a first answer")
    running.torchserve.reset()
    running.torchserve.gate.clear()
    in_hand = running.later(running.predict, "in hand")
    wait_for_calls(running, 1)
    running.process.terminate()
    wait_until(lambda: not accepts(running), PATIENCE_SECONDS, "the end of new connections")
    assert running.process.poll() is None
    running.torchserve.gate.set()
    assert [entry["text"] for entry in in_hand.result().json()["predictions"]] == ["in hand"]
    assert running.process.wait(PATIENCE_SECONDS) == 0


def accepts(gateway: Gateway) -> bool:
    with urllib3.PoolManager(retries=False) as fresh:
        try:
            fresh.request("GET", f"{gateway.url}/healthz/live", timeout=PATIENCE_SECONDS)
        except urllib3.exceptions.HTTPError:
            return False
    return True
