"""The circuit breaker, by a clock that the test moves."""

from gateway.domain.breaker import BreakerState, CircuitBreaker


class Time:
    now = 0.0

    def __call__(self) -> float:
        return self.now


def failing(failures: int, time: Time) -> CircuitBreaker:
    breaker = CircuitBreaker(failures=3, open_seconds=5.0, monotonic=time)
    for _ in range(failures):
        breaker.failed()
    return breaker


def test_a_few_failures_leave_it_closed() -> None:
    breaker = failing(2, Time())
    assert breaker.admit()
    assert breaker.report().state is BreakerState.CLOSED


def test_only_failures_in_a_row_count() -> None:
    breaker = failing(2, Time())
    breaker.succeeded()
    breaker.failed()
    assert breaker.report().failures_in_a_row == 1
    assert breaker.admit()


def test_too_many_open_it_for_a_while() -> None:
    time = Time()
    breaker = failing(3, time)
    assert not breaker.admit()
    assert breaker.report().retry_after_seconds == 5.0
    time.now = 4.9
    assert not breaker.admit()


def test_half_open_lets_one_through() -> None:
    time = Time()
    breaker = failing(3, time)
    time.now = 5.0
    assert breaker.report().state is BreakerState.HALF_OPEN
    assert breaker.admit()
    assert not breaker.admit()


def test_a_probe_that_succeeds_closes_it() -> None:
    time = Time()
    breaker = failing(3, time)
    time.now = 5.0
    breaker.admit()
    breaker.succeeded()
    assert breaker.admit()
    assert breaker.report().state is BreakerState.CLOSED


def test_a_probe_that_fails_opens_it_again() -> None:
    time = Time()
    breaker = failing(3, time)
    time.now = 5.0
    breaker.admit()
    breaker.failed()
    time.now = 9.9
    assert not breaker.admit()
    time.now = 10.0
    assert breaker.admit()


def test_a_probe_whose_outcome_never_comes_is_replaced() -> None:
    time = Time()
    breaker = failing(3, time)
    time.now = 5.0
    assert breaker.admit()
    time.now = 10.0
    assert breaker.admit()
