"""A person's remaining quota, in one process and shared by several."""

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from gateway.adapters.shared_balances import WAYS, SharedBalances
from gateway.domain.errors import QuotaUsed
from gateway.domain.quota import Balances, OwnBalances, TokenQuota

PER_MINUTE = 600


class Clock:
    """A clock that the test moves."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture(params=[OwnBalances, SharedBalances])
def quota(request: pytest.FixtureRequest) -> tuple[TokenQuota, Clock]:
    balances: Callable[[], Balances] = request.param
    clock = Clock()
    return TokenQuota(PER_MINUTE, clock, balances()), clock


def test_a_minute_is_refilled_as_it_passes(quota: tuple[TokenQuota, Clock]) -> None:
    tokens, clock = quota
    tokens.take("ada", 500)
    with pytest.raises(QuotaUsed) as used:
        tokens.take("ada", 200)
    assert used.value.retry_after_seconds == 10
    clock.now += 10
    tokens.take("ada", 200)
    tokens.take("bert", 600)
    clock.now += 3600
    tokens.take("ada", 600)
    with pytest.raises(QuotaUsed):
        tokens.take("ada", 1)


def test_what_costs_more_than_a_minute_is_paid_off_afterwards(quota: tuple[TokenQuota, Clock]) -> None:
    tokens, clock = quota
    tokens.take("ada", 1200)
    clock.now += 60
    with pytest.raises(QuotaUsed):
        tokens.take("ada", 1)
    clock.now += 1
    tokens.take("ada", 1)


def test_the_longest_unused_record_is_dropped_if_all_slots_are_taken() -> None:
    clock = Clock()
    tokens = TokenQuota(PER_MINUTE, clock, SharedBalances(slots=WAYS))
    for number in range(WAYS + 1):
        tokens.take(f"person {number}", PER_MINUTE)
        clock.now += 0.01
    for number in range(2, WAYS + 1):
        with pytest.raises(QuotaUsed):
            tokens.take(f"person {number}", PER_MINUTE)
    tokens.take("person 0", PER_MINUTE)


def test_processes_give_no_more_together_than_one_alone() -> None:
    command = [sys.executable, str(Path(__file__).with_name("forked_takers.py")), str(PER_MINUTE)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=True)
    given = [int(each) for each in done.stdout.split()]
    assert sum(given) == PER_MINUTE
    assert len(given) == 4
