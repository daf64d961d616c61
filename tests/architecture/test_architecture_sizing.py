"""The pages about measurements and sizes are those that their scripts write from the committed reports."""

import sys

import pytest
from dynabench_local.layout import checkout

sys.path.insert(0, str(checkout() / "scripts"))
import measurements
import sizing


def test_the_page_of_measurements_is_that_of_the_reports() -> None:
    text = measurements.PAGE.read_text(encoding="utf-8")
    assert text == measurements.page(measurements.reports()), "run: python scripts/measurements.py"


def test_a_missed_limit_is_in_the_page() -> None:
    figure = {
        "name": "a try, p95",
        "value": 160.0,
        "unit": "ms",
        "bar": "≤ 150",
        "holds": False,
        "slowness": 1.0,
    }
    document = {
        "began": "2026-11-27T12:00:00+00:00",
        "commit": "abc",
        "machine": "a machine",
        "figures": [figure],
    }
    assert measurements.page([measurements.Report("bench", document)]).count("| ≤ 150, missed |") == 2


def test_sizes_and_costs_of_the_page_are_those_of_the_script() -> None:
    text = sizing.PAGE.read_text(encoding="utf-8")
    table = sizing.table([sizing.Size(sizing.simulate(people)) for people in sizing.PEOPLE])
    made = sizing.written(sizing.written(text, sizing.TABLE, table), sizing.COSTS, sizing.costs())
    assert made == text, "run: python scripts/sizing.py --write"
    assert table in text


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
