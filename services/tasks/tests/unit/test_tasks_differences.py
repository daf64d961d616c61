"""The difference of two rates and its interval."""

import pytest
from dynabench_tasks.statistics.differences import difference
from dynabench_tasks.statistics.rates import Rate, independent_rate


def test_the_published_example_of_newcombe_is_met() -> None:
    found = difference(independent_rate(56, 70, ""), independent_rate(48, 80, ""))
    assert found is not None
    assert (found.value, found.low, found.high) == pytest.approx((0.2, 0.0524, 0.3339), abs=5e-5)
    assert not found.is_noise


def test_it_turns_with_its_sides_and_holds_nothing_where_both_are_equal() -> None:
    one, other = Rate(0.4, 100, 0.3, 0.5), Rate(0.2, 100, 0.1, 0.35)
    there, back = difference(one, other), difference(other, one)
    assert there is not None
    assert back is not None
    assert (there.value, there.low, there.high) == pytest.approx((-back.value, -back.high, -back.low))
    equal = difference(one, one)
    assert equal is not None
    assert equal.is_noise


@pytest.mark.parametrize("other", [Rate(None, 0, reason="nothing"), Rate(0.2, 10, reason="too few")])
def test_without_an_interval_there_is_no_difference(other: Rate) -> None:
    one = Rate(0.4, 100, 0.3, 0.5)
    assert difference(one, other) is None
    assert difference(other, one) is None
