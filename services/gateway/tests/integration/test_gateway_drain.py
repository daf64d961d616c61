"""SIGTERM: what is in hand is answered, idle connections are hung up, nothing new is accepted."""

import urllib3
from dynabench_common.testing import wait_until

from .conftest import Gateway, wait_for_calls


def test_a_stop_answers_what_is_in_hand(running: Gateway) -> None:
    wait_until(lambda: running.predict("hello").status == 200, 10, "a first answer")
    running.torchserve.reset()
    running.torchserve.gate.clear()
    in_hand = running.later(running.predict, "in hand")
    wait_for_calls(running, 1)
    running.process.terminate()
    wait_until(lambda: not accepts(running), 10, "the end of new connections")
    assert running.process.poll() is None
    running.torchserve.gate.set()
    assert in_hand.result().json()["predictions"] == [{"label": "yes", "text": "in hand"}]
    assert running.process.wait(20) == 0


def accepts(gateway: Gateway) -> bool:
    with urllib3.PoolManager(retries=False) as fresh:
        try:
            fresh.request("GET", f"{gateway.url}/healthz/live", timeout=2)
        except urllib3.exceptions.HTTPError:
            return False
    return True
