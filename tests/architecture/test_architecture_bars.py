"""A time limit scales with the machine's speed, and no other limit does."""

import time

import pytest

from tests.bench import machine_speed
from tests.figures import Figure, at_least, at_most, more_than, plain


@pytest.mark.parametrize(
    ("figure", "bar", "holds"),
    [
        (at_most("a wait", 290, "ms", 150), "≤ 150 × 2.00", True),
        (at_most("a wait", 310, "ms", 150), "≤ 150 × 2.00", False),
        (at_least("a rate", 501, "events/s", 1000), "≥ 1000 / 2.00", True),
        (at_least("a rate", 499, "events/s", 1000), "≥ 1000 / 2.00", False),
        (at_most("a ratio", 1.2, "×", 1.15), "≤ 1.15", False),
        (at_least("a share", 91, "%", 92), "≥ 92", False),
        (at_most("failures", 1, "calls", 0), "≤ 0", False),
        (more_than("a width", 0, "", 0), "> 0", False),
        (plain("a size", 7, "rows"), "", None),
    ],
)
def test_bars_on_a_machine_half_as_fast(figure: Figure, bar: str, holds: bool | None) -> None:
    there = figure.on_machine(2.0)
    assert (there.bar, there.holds) == (bar, holds)
    assert there.document()["slowness"] == 2.0


def test_a_machine_as_fast_as_the_reference_has_the_bar_itself() -> None:
    figure = at_most("a wait", 151, "ms", 150)
    assert (figure.bar, figure.holds) == ("≤ 150", False)


@pytest.mark.long
@pytest.mark.parametrize(("factor", "expected"), [(0.5, 1.0), (1.0, 1.0), (2.0, 2.0)])
def test_a_slower_machine_scales_the_bars_and_a_faster_one_does_not(
    factor: float, expected: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    ends = iter([n // 2 * 10 + n % 2 * factor * machine_speed.REFERENCE_SECONDS for n in range(100)])
    monkeypatch.setattr(time, "process_time", lambda: next(ends))
    assert machine_speed.slowness() == pytest.approx(expected)
