"""Rate limits of visitors: for each address, for all together, and for concurrent requests."""

from datetime import UTC, datetime, timedelta

import pytest
from annotation.service_layer.visitor_limits import MOST_ADDRESSES, TooManyVisitors, VisitorLimits

NOON = datetime(2026, 11, 21, 12, tzinfo=UTC)


def after(seconds: float) -> datetime:
    return NOON + timedelta(seconds=seconds)


def ask(limits: VisitorLimits, address: str, at: datetime = NOON) -> None:
    with limits.question(address, at):
        pass


def test_an_address_has_its_number_and_others_have_theirs() -> None:
    limits = VisitorLimits(of_address=3, of_all=100)
    for _ in range(3):
        ask(limits, "192.0.2.1")
    with pytest.raises(TooManyVisitors) as caught:
        ask(limits, "192.0.2.1", after(60))
    ask(limits, "192.0.2.2", after(60))

    assert (caught.value.retry_after_seconds, caught.value.of_all) == (540, False)


def test_after_ten_minutes_an_address_may_ask_again() -> None:
    limits = VisitorLimits(of_address=1, of_all=100)
    ask(limits, "192.0.2.1")
    with pytest.raises(TooManyVisitors):
        ask(limits, "192.0.2.1", after(599))
    ask(limits, "192.0.2.1", after(600))


def test_many_addresses_together_take_no_more_than_all_may() -> None:
    limits = VisitorLimits(of_address=20, of_all=5)
    for number in range(5):
        ask(limits, f"192.0.2.{number}")
    with pytest.raises(TooManyVisitors) as caught:
        ask(limits, "192.0.2.77", after(20))
    ask(limits, "192.0.2.77", after(60))

    assert (caught.value.retry_after_seconds, caught.value.of_all) == (40, True)


def test_a_refused_question_takes_nothing_from_anybody() -> None:
    limits = VisitorLimits(of_address=1, of_all=2)
    ask(limits, "192.0.2.1")
    for _ in range(5):
        with pytest.raises(TooManyVisitors):
            ask(limits, "192.0.2.1")
    ask(limits, "192.0.2.2")


def test_only_a_few_are_in_hand_at_the_same_moment_and_an_error_ends_its_turn() -> None:
    limits = VisitorLimits()
    with (
        limits.question("192.0.2.1", NOON),
        limits.question("192.0.2.1", NOON),
        pytest.raises(TooManyVisitors),
        limits.question("192.0.2.1", NOON),
    ):
        raise AssertionError("a third question of one address was let in")
    with pytest.raises(ValueError, match="broken"), limits.question("192.0.2.1", NOON):
        raise ValueError("broken")
    with limits.question("192.0.2.1", NOON), limits.question("192.0.2.1", NOON):
        pass


def test_addresses_are_forgotten_once_they_may_ask_as_new_ones() -> None:
    limits = VisitorLimits(of_address=2, of_all=10 * MOST_ADDRESSES)
    for number in range(MOST_ADDRESSES):
        ask(limits, f"10.0.{number // 256}.{number % 256}")
    ask(limits, "192.0.2.1", after(601))
    assert len(limits._addresses) == 1


def test_processes_share_the_limits() -> None:
    shares = [VisitorLimits.among(3, of_address=20, of_all=60) for _ in range(3)]
    assert sum(limits.of_address for limits in shares) <= 20
    assert sum(limits.of_all for limits in shares) == 60
    least = VisitorLimits.among(3, of_address=1, of_all=2)
    assert (least.of_address, least.of_all) == (1, 1)
