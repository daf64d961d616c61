"""Measurements in words and pictures: what is missing says why, what to watch out for is marked, charts have tables."""

import re
from typing import Any

import pytest
from dynabench_client.results.datasets import Association, Bin, Dataset, Measurements, Split
from web.datasets.associations import associations
from web.datasets.charts import measured_charts, word_axis
from web.datasets.measurements_view import NOT_STATED, PARTS, PartView, measurements_view
from web.datasets.release_findings import release_parts
from web.kit import isolation
from web.kit.charts.histogram import histogram
from web.kit.charts.svg import Chart
from web_fake_datasets import association, dataset, measurements


def measured(**changes: Any) -> Measurements:
    return Measurements.blank(**{"state": "done", **measurements(), **changes})


def part(name: str, inputs: str = "hypothesis", **changes: Any) -> PartView:
    view = measurements_view(measured(**changes), inputs)
    return next(each for each in view.parts if each.part_id == name)


def said(name: str, **changes: Any) -> str:
    return " ".join(found.words for found in part(name, **changes).findings)


def warns(name: str, **changes: Any) -> bool:
    return any(found.is_warning for found in part(name, **changes).findings)


def bins(*counts: int) -> list[Bin]:
    return [
        Bin.blank(low=5 * number, high=5 * number + 5, count=count) for number, count in enumerate(counts)
    ]


def charts() -> list[Chart]:
    return [chart for drawn in measured_charts(measured()).values() for chart in drawn]


@pytest.mark.parametrize("chart", charts(), ids=lambda chart: chart.chart_id)
def test_each_chart_has_a_name_a_table_and_no_inline_style(chart: Chart) -> None:
    assert f'<title id="{chart.chart_id}-title"' in chart.svg
    assert 'role="img"' in chart.svg
    assert chart.table.rows
    assert all(len(row) == len(chart.table.headers) for row in chart.table.rows)
    assert "style=" not in chart.svg


@pytest.mark.parametrize("chart", charts(), ids=lambda chart: chart.chart_id)
def test_nothing_is_drawn_outside_the_picture(chart: Chart) -> None:
    width, height = map(int, re.findall(r'viewBox="0 0 (\d+) (\d+)"', chart.svg)[0])
    for name, limit in (
        ("x", width),
        ("cx", width),
        ("x1", width),
        ("x2", width),
        ("y", height),
        ("y2", height),
    ):
        assert all(0 <= float(value) <= limit for value in re.findall(rf' {name}="([-\d.]+)"', chart.svg)), (
            name
        )


def test_charts_have_different_ids() -> None:
    ids = [chart.chart_id for chart in charts()]
    assert len(ids) == len(set(ids))


def test_words_of_a_label_stand_with_their_intervals_beside_chance() -> None:
    chart = next(each for each in charts() if each.chart_id == "chart-associations-1")
    assert chart.title == f"Words and “{isolation.name('contradiction')}”"
    assert chart.svg.count("whisker") == 4
    assert "chance" in chart.svg
    assert "PMI in bits" in chart.svg
    assert [isolation.name("never"), "2.10", "1.70 to 2.50", "84"] in chart.table.rows


def test_words_that_avoid_a_label_are_drawn_beside_very_many_that_go_with_it() -> None:
    many = [association(f"word{number}", "yes", 3 - number / 20, 12) for number in range(20)]
    found = [Association.blank(**each) for each in [*many, association("rare", "yes", -2.0, 1)]]
    chart = associations("chart", "yes", found)
    assert chart
    assert ">rare</text>" in chart.svg
    assert "The chart shows 11 of 21 words." in chart.description
    assert len(chart.table.rows) == 21


def test_hostile_words_stay_words() -> None:
    hostile = [association('<script>alert("x")</script>', "<b>", 1.0, 12)]
    drawn = measured_charts(measured(associations=hostile))["associations"]
    assert "<script>" not in drawn[0].svg
    assert "<b>" not in drawn[0].svg


def test_a_histogram_has_its_unit_and_its_median() -> None:
    chart = histogram("chart", "Length", "", word_axis(), bins(4, 6), 6)
    assert chart
    assert ">words</text>" in chart.svg
    assert ">examples</text>" in chart.svg
    assert ">median</text>" in chart.svg
    assert chart.table.rows == [["0", "5", "4"], ["5", "10", "6"]]
    assert histogram("chart", "Length", "", word_axis(), bins(0)) is None
    assert histogram("chart", "Length", "", word_axis(), []) is None


def test_nothing_is_said_before_there_is_a_result() -> None:
    view = measurements_view(Measurements.blank(**{"state": "computing"}))
    assert (view.is_computing, view.has_result, view.parts) == (True, False, [])
    assert measured_charts(Measurements.blank(**{"state": "computing"})) == {}


def test_an_older_result_is_shown_while_it_is_measured_anew() -> None:
    view = measurements_view(measured(state="computing", measured_at="2026-01-09T10:00:00+00:00"))
    assert view.is_computing
    assert view.has_result
    assert view.measured is not None
    assert view.measured.words == "9 Jan 10:00"


@pytest.mark.parametrize("name", PARTS)
def test_a_part_that_is_not_stated_is_not_measured(name: str) -> None:
    told = {key: value for key, value in measurements().items() if key != name}
    view = measurements_view(Measurements.blank(**{"state": "done", **told}))
    missing = next(each for each in view.parts if each.part_id == name)
    assert missing.missing == (PARTS[name].empty if name == "overlap" else NOT_STATED)
    assert (missing.figures, missing.findings) == ([], [])


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("label_balance", {"gold": {}, "claimed": {"yes": 0}}),
        ("lengths", {}),
        ("vocabulary", {"types": 0, "tokens": 0, "type_token_ratio": None, "new_per_1000": []}),
        ("near_duplicates", {"pairs": 0, "share": None}),
        ("overlap", None),
        ("authors", {"people": 0, "top1_share": None, "top5_share": None, "hhi": None}),
    ],
)
def test_a_part_that_came_to_nothing_says_why(name: str, value: Any) -> None:
    assert part(name, **{name: value}).missing == PARTS[name].empty


def test_a_stated_reason_is_given_as_a_sentence() -> None:
    nothing = {
        "accuracy": None,
        "majority": None,
        "n": 12,
        "reason": "not measured: under 50 examples with a label",
    }
    assert (
        part("input_only_baseline", input_only_baseline=nothing).missing == "Under 50 examples with a label."
    )


def test_what_the_input_alone_gives_away_is_said_in_numbers() -> None:
    assert said("input_only_baseline") == (
        "Without the context, a model is right in 61.0\u00a0% (57.0–65.0). Always answering the most common label is "
        "right in 34.0\u00a0%. So the hypothesis alone gives much away."
    )


BASELINE = {"accuracy": 0.36, "low": 0.32, "high": 0.4, "majority": 0.34, "n": 500}
ONE_LABEL = {"gold": {"yes": 90, "no": 10}, "claimed": {"yes": 50, "no": 50}}
NOT_USED = {"gold": {"a": 50, "b": 50, "c": 0}, "claimed": {"a": 50, "b": 50, "c": 0}}
LONG = {"text": {"words": {"n": 9, "mean": 9, "p5": 2, "p50": 8, "p95": 20, "max": 40, "histogram": []}}}
REPEATING = {
    "types": 900,
    "tokens": 9000,
    "new_per_1000": [{"examples": 1000, "new": 800}, {"examples": 2000, "new": 70}],
}


@pytest.mark.parametrize(
    ("name", "value", "is_warning"),
    [
        ("label_balance", ONE_LABEL, True),
        ("label_balance", NOT_USED, True),
        ("label_balance", {"gold": {}, "claimed": {"yes": 52, "no": 48}}, False),
        ("label_balance", {"gold": {}, "claimed": {"yes": 696, "no": 304}}, True),
        ("label_balance", {"gold": {}, "claimed": {"yes": 12, "no": 11}}, True),
        ("lengths", LONG, True),
        ("vocabulary", REPEATING, True),
        ("near_duplicates", {"pairs": 0, "share": 0.0}, False),
        ("near_duplicates", {"pairs": 90, "share": 0.06}, True),
        ("overlap", {"n": 9, "mean": 0.49}, False),
        ("overlap", {"n": 9, "mean": 0.5}, True),
        ("authors", {"people": 5, "top5_share": 1.0, "hhi": 0.2}, True),
        ("authors", {"people": 80, "top5_share": 0.2, "hhi": 0.02}, False),
        ("authors", {"people": 80, "top5_share": 0.5, "hhi": 0.2}, True),
        ("associations", [association("fine", "yes", 1.2, 30)], False),
        ("associations", [association("fine", "yes", 1.5, 30)], True),
        ("associations", [], False),
        ("input_only_baseline", BASELINE, False),
        ("input_only_baseline", {**BASELINE, "low": 0.35}, True),
    ],
)
def test_a_warning_is_given_from_its_threshold_on(name: str, value: Any, is_warning: bool) -> None:
    assert part(name, **{name: value}).findings
    assert warns(name, **{name: value}) is is_warning


def test_a_share_says_of_how_many() -> None:
    few = said("label_balance", label_balance={"gold": {"yes": 16, "no": 7}, "claimed": {}})
    assert "69.6\u00a0% of 23\u00a0examples" in few
    assert "Only 23\u00a0examples:" in few
    assert "Only 1\u00a0example:" in said("label_balance", label_balance={"gold": {"yes": 1}, "claimed": {}})
    assert said("overlap").startswith("On average, ")
    assert "of 1,204\u00a0examples" in said("authors")


def test_small_splits_of_one_author_and_low_agreement_are_warned_of() -> None:
    found = Dataset.blank(**dataset("r"))
    assert not [each for part in release_parts(found) for each in part.findings if each.is_warning]
    small = found.splits.model_copy(update={"dev": Split.blank(examples=2, authors=1)})
    about = {**found.about, "collected": {"agreement": {"krippendorff_alpha": 0.13, "examples": 23}}}
    parts = release_parts(found.model_copy(update={"splits": small, "about": about}))
    view = measurements_view(measured(), "", parts)
    words = [each.words for part, each in view.warnings if part.part_id in {"splits", "agreement"}]
    assert words[0].startswith("dev: only 1\u00a0person wrote these 2\u00a0examples.")
    assert words[1].startswith("Agreement is 0.13 on 23\u00a0examples")


@pytest.mark.parametrize(
    ("unknown", "by", "ends"),
    [
        (0, "by 600\u00a0people", "at least 100\u00a0examples, by at least 5\u00a0people."),
        (599, "by 1\u00a0person and unknown authors", "a few people may have written most."),
        (600, "by unknown authors", "a few people may have written most."),
    ],
)
def test_unknown_authors_are_not_counted_as_people(unknown: int, by: str, ends: str) -> None:
    found = Dataset.blank(**dataset("r"))
    splits = found.splits.model_copy(update={"train": Split.blank(examples=600, authors=600)})
    counts = {**found.counts, "unknown_authors": {"train": unknown}}
    shown = release_parts(found.model_copy(update={"splits": splits, "counts": counts}))[0]
    assert shown.figures[0] == ("train", f"600\u00a0examples {by}")
    [said] = shown.findings
    assert said.words.endswith(ends)


def test_a_word_that_no_author_bears_out_says_why() -> None:
    reason = "not measured: 8 people wrote, at least 10 are needed to tell a habit from a pattern"
    assert part("associations", associations=(), associations_reason=reason).missing.startswith(
        "8 people wrote"
    )


def test_warnings_are_gathered_with_the_part_that_tells_them() -> None:
    view = measurements_view(measured())
    assert {each.part_id for each, _ in view.warnings} == {"authors", "associations", "input_only_baseline"}
