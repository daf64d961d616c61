"""The page about sizes has the results of its script, from the costs in docs/measurements.md."""

import re
import sys

import pytest
from dynabench_local.layout import checkout

sys.path.insert(0, str(checkout() / "scripts"))
import sizing


def test_the_table_of_the_page_is_that_of_the_script() -> None:
    text = sizing.PAGE.read_text(encoding="utf-8")
    made = sizing.table([sizing.Size(sizing.simulate(people)) for people in sizing.PEOPLE])
    assert sizing.written(text, made) == text, "run: python scripts/sizing.py --write"
    assert made in text


def measured(pattern: str) -> list[float]:
    """Return the numbers of the one place in the measurements that a pattern finds; # stands for a number."""
    expression = pattern.replace("#", r"([\d.,]+)")
    (found,) = re.findall(expression, (checkout() / "docs" / "measurements.md").read_text(encoding="utf-8"))
    return [float(number.replace(",", "")) for number in ([found] if isinstance(found, str) else found)]


def test_costs_are_those_of_the_readme() -> None:
    seconds = {
        r"a try without its model \| [^;]+; #, #, # ms": (sizing.NEXT, sizing.VOTE, sizing.TRY),
        r"edge for the same \| [^;]+; #, #, # ms": (
            sizing.STORES_NEXT,
            sizing.STORES_VOTE,
            sizing.STORES_TRY,
        ),
        r"stores and edge \| [^|]* and #; # ms": (sizing.PAGE_VIEW, sizing.STORES_PAGE),
        r"p50 at 1 caller [^|]*\| [^(]*\([^)]* against #, [\d.]+ ms\)": (sizing.FORWARD,),
        r"2.64 × \(# against \d+ ms\)": (sizing.EXPLANATION,),
    }
    for pattern, costs in seconds.items():
        assert measured(pattern) == pytest.approx([1000 * cost for cost in costs]), pattern
    assert measured(r"nine of ten events \| [\d,]+; # events/s") == [sizing.RELAY]
    assert measured(r"consumer, one worker \| # events/s") == [sizing.CONSUMER]


def test_the_same_seed_gives_the_same_day_and_another_one_another() -> None:
    assert sizing.simulate(10_000) == sizing.simulate(10_000)
    assert sizing.simulate(10_000, 1) != sizing.simulate(10_000, 2)


@pytest.mark.parametrize("people", [1, 2, 37, 100_000])
def test_any_number_of_people_has_a_size(people: int) -> None:
    size = sizing.Size(sizing.simulate(people))
    assert size.cores >= 0
    assert min(size.replicas_of_web, size.replicas_of_annotation, size.replicas_of_validation) >= 2
    assert "nan" not in sizing.table([size])


def test_more_people_need_more() -> None:
    sizes = [sizing.Size(sizing.simulate(people)) for people in (1_000, 100_000, 1_000_000)]
    assert sizes == sorted(sizes, key=lambda size: size.cores)
    assert sizes == sorted(sizes, key=lambda size: size.database_gigabytes)


def test_the_day_has_bursts_and_one_author_who_dominates() -> None:
    day = sizing.simulate(1_000_000)
    mean = day.tries / (24 * 3600)
    assert day.tries_per_second > 3 * mean
    assert day.largest_author == pytest.approx(sizing.DOMINATING_SHARE, abs=0.01)
    assert day.busiest_partition < 0.2
