"""Wilson's interval of one person's share."""

import pytest
from dynabench_tasks.statistics.rates import Rate, independent_rate


@pytest.mark.parametrize(
    ("successes", "n", "low", "high"),
    [
        # R. Newcombe, "Two-sided confidence intervals for the single proportion", 1998, table I, method 3.
        (81, 263, 0.2553, 0.3662),
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0.0, 0.1611),
        (1, 29, 0.0061, 0.1718),
        (20, 20, 0.8389, 1.0),
    ],
)
def test_textbook_intervals(successes: int, n: int, low: float, high: float) -> None:
    rate = independent_rate(successes, n, "")
    assert (rate.value, rate.n, rate.reason) == (successes / n, n, None)
    assert rate.low == pytest.approx(low, abs=5e-5)
    assert rate.high == pytest.approx(high, abs=5e-5)


def test_nothing_has_no_share() -> None:
    assert independent_rate(0, 0, "nothing yet") == Rate(None, 0, reason="nothing yet")
