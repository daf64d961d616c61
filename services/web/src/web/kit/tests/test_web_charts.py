"""Charts say nothing that their tables don't, and nothing in them needs a style attribute."""

import re
from datetime import UTC, datetime, timedelta

import pytest
from dynabench_client.results.datasets import Bin
from dynabench_client.results.leaderboard import FoolingMatrix, History, RoundFigures
from web.kit.charts.bars import WIDTH, Bar, bars
from web.kit.charts.columns import columns
from web.kit.charts.fooling import MOST_ROWS, fooling
from web.kit.charts.funnel import funnel
from web.kit.charts.histogram import Axis, histogram
from web.kit.charts.intervals import intervals
from web.kit.charts.over_time import TOP, effort_over_time, over_time
from web.kit.charts.scales import NUMBER, PERCENT, Scale, Unit, ticks, time_words
from web.kit.charts.svg import Chart, element
from web.kit.isolation import name, names
from web.kit.numbers import RateView
from web_fake_figures import history, round_figures
from web_fake_tasks import matrix

ROUND = "0198c0de-0000-7000-8000-000000000000"
FIGURES = RoundFigures.blank(**round_figures(ROUND))
MATRIX = FoolingMatrix.blank(**{"round_id": ROUND, **matrix()})
POINTS = History.blank(**history(ROUND)).points
STAGES = [("Contexts", 480), ("Tries", 1204), ("Fooled", 402), ("Checked", 310), ("– correct", 264)]
RATES = [
    ("sentiment-minilm", RateView("30.0 %", "27.0–33.0", "1,204", "", 0.3, 0.27, 0.33), ["1,204"]),
    ("convolution-c", RateView("20.0 %", "17.0–23.0", "1,204", "", 0.2, 0.17, 0.23), ["1,204"]),
    ("n-gram-b", RateView(note="no tries yet"), ["0"]),
]


def charts() -> list[Chart]:
    made = [
        over_time(POINTS, FIGURES),
        effort_over_time(POINTS),
        funnel(STAGES),
        intervals("chart-targets", "Fool rate per model", "Model", "Fool rate", RATES, ["Tries"]),
        fooling(MATRIX),
    ]
    assert all(made)
    return [chart for chart in made if chart]


def numbers(text: str) -> set[str]:
    return set(re.findall(r"\d+\.\d", text))


@pytest.mark.parametrize("chart", charts(), ids=lambda chart: chart.chart_id)
def test_each_chart_has_a_name_a_table_and_no_inline_style(chart: Chart) -> None:
    assert f'<title id="{chart.chart_id}-title">{chart.title}</title>' in chart.svg
    assert 'role="img"' in chart.svg
    assert chart.table.rows
    assert all(len(row) == len(chart.table.headers) for row in chart.table.rows)
    assert "style=" not in chart.svg


@pytest.mark.parametrize("chart", charts(), ids=lambda chart: chart.chart_id)
def test_what_is_written_in_a_chart_stands_in_its_table(chart: Chart) -> None:
    values = re.findall(r'<text[^>]*class="(?:value|name)[^"]*"[^>]*>([^<]*)<', chart.svg)
    table = " ".join(cell for row in chart.table.rows for cell in row)
    assert values
    for value in values:
        assert numbers(value) <= numbers(table), value


def test_a_band_is_drawn_where_the_history_has_intervals() -> None:
    chart = over_time(POINTS, FIGURES)
    assert chart
    assert chart.svg.count('class="band') == 2


def test_without_intervals_in_the_history_the_present_one_stands_at_the_end() -> None:
    bare = [
        p.model_copy(update={"mer_low": None, "mer_high": None, "vmer_low": None, "vmer_high": None})
        for p in POINTS
    ]
    chart = over_time(bare, FIGURES)
    assert chart
    assert 'class="band' not in chart.svg
    assert chart.svg.count('class="whisker') == 2


def test_nothing_is_drawn_before_the_first_try() -> None:
    assert over_time([], FIGURES) is None
    assert funnel([("Contexts", 480), ("Tries", 0), ("Fooled", 0)]) is None
    assert intervals("c", "t", "Target", "MER", [("a", RateView(), [])], []) is None


def test_a_drawn_name_is_its_words_without_the_markup_around_them() -> None:
    rates = [(name(model), rate, cells) for model, rate, cells in RATES]
    chart = intervals("c", "t", "Target", "MER", rates, ["Tries"])
    assert chart
    assert ">sentiment-minilm</text>" in chart.svg
    assert chart.svg.count("<circle") == 2


def test_a_row_of_the_matrix_has_a_dot_per_target_and_a_line_between_those_it_fooled() -> None:
    chart = fooling(MATRIX)
    assert chart
    assert chart.svg.count('class="member"') == 4
    assert chart.svg.count('class="member is-absent"') == 4
    assert chart.svg.count('class="member-line"') == 1
    assert chart.svg.count('class="bar outcome"') == 3
    assert [row[0] for row in chart.table.rows][:2] == [
        "none",
        names(["sentiment-minilm", "n-gram-b"]),
    ]


@pytest.mark.parametrize(
    "change",
    [{"patterns": ()}, {"targets": ("sentiment-minilm",)}],
    ids=["nothing answered by all", "one target"],
)
def test_no_matrix_is_drawn_that_says_nothing(change: dict[str, tuple[str, ...]]) -> None:
    assert fooling(MATRIX.model_copy(update=change)) is None


def test_rare_sets_of_many_stand_in_the_table_alone() -> None:
    targets = [f"model-{number}" for number in range(8)]
    patterns = [
        {"fooled": targets[: 1 + number % 8], "tries": 40 - number, "validated": 0} for number in range(20)
    ]
    document = {"targets": targets, "answered_by_all": 600, "patterns": patterns}
    chart = fooling(FoolingMatrix.blank(**document))
    assert chart
    assert chart.svg.count('class="bar"') == MOST_ROWS
    assert len(chart.table.rows) == 20
    assert f"The chart has the {MOST_ROWS} most frequent of 20 sets" in chart.description


def test_columns_are_counted_in_whole_numbers() -> None:
    chart = columns("chart-x", "Tries", "All.", ("Day", "Tries"), [("5 Jan", 1), ("6 Jan", 0), ("7 Jan", 2)])
    assert chart
    assert chart.svg.count('class="bar"') == 2
    ticks_shown = re.findall(r'text-anchor="end">(\d+)<', chart.svg)
    assert ticks_shown == ["0", "1", "2"]
    assert chart.table.rows[1] == ["6 Jan", "0"]
    assert columns("chart-x", "Tries", "All.", ("Day", "Tries"), [("5 Jan", 0)]) is None


def test_bars_beside_long_names_keep_their_place_and_their_proportion() -> None:
    rows = [Bar("Failed events: " + "x" * 60, 8, "8"), Bar("Mails waiting", 4, "4")]
    found = str(bars("chart-x", "Queues", rows))
    widths = [float(width) for width in re.findall(r'<rect[^>]*? width="([\d.]+)"', found)]
    assert widths == [100, 50]
    assert "…</text>" in found
    assert ">Mails waiting</text>" in found
    places = [float(place) for place in re.findall(r'<text x="([\d.]+)"[^>]*class="value"', found)]
    assert max(places) < WIDTH


def test_one_point_is_no_chart() -> None:
    assert over_time(POINTS[:1], FIGURES) is None
    assert over_time(POINTS[:2], FIGURES)
    assert intervals("c", "t", "Target", "MER", RATES[:1], []) is None


def test_effort_has_no_chart_before_two_moments_with_a_fooling_try() -> None:
    unfooled = [point.model_copy(update={"tries_per_fooling": None}) for point in POINTS]
    assert effort_over_time(unfooled) is None
    assert effort_over_time([*unfooled[:-1], POINTS[-1]]) is None


def test_intervals_that_leave_the_chart_of_effort_are_cut_off() -> None:
    wide = POINTS[0].model_copy(update={"tries_per_fooling_high": 50.0})
    chart = effort_over_time([wide, *POINTS[1:]])
    assert chart
    band = chart.svg.partition('class="band')[0].rpartition('d="')[2]
    heights = [float(place.split()[1]) for place in re.findall(r"[\d.]+ [\d.]+", band)]
    assert min(heights) == TOP


@pytest.mark.parametrize(
    ("chart", "sentence"),
    [
        (
            columns("c", "Tries per day", "All rounds.", ("Day", "Tries"), [("5 Jan", 7)]),
            "All rounds. Tries: 7 (5 Jan).",
        ),
        (
            histogram(
                "c", "Lengths", "", Axis("words", lambda value: f"{value:g}"), [Bin(low=3, high=12, count=80)]
            ),
            "80 examples (words: 3 to 12).",
        ),
        (
            fooling(MATRIX.model_copy(update={"patterns": MATRIX.patterns[:1]})),
            "All models answered 778\u00a0tries. Each try fooled: none.",
        ),
    ],
    ids=["columns", "histogram", "sets of models"],
)
def test_a_single_bar_is_a_sentence(chart: Chart | None, sentence: str) -> None:
    assert chart
    assert (str(chart.svg), str(chart.description)) == ("", sentence)


@pytest.mark.parametrize(
    ("unit", "values", "words"),
    [
        (PERCENT, [0, 0.25, 0.5], ["0\u00a0%", "25\u00a0%", "50\u00a0%"]),
        (PERCENT, [0, 0.025, 0.05], ["0.0\u00a0%", "2.5\u00a0%", "5.0\u00a0%"]),
        (NUMBER, [0, 2, 4], ["0", "2", "4"]),
        (NUMBER, [0, 0.5, 1], ["0.0", "0.5", "1.0"]),
    ],
)
def test_marks_of_an_axis_have_a_digit_only_if_they_need_one(
    unit: Unit, values: list[float], words: list[str]
) -> None:
    assert unit.marks(values) == words


def test_names_in_a_chart_are_escaped() -> None:
    assert element("text", "<script>") == "<text>&lt;script&gt;</text>"


@pytest.mark.parametrize(
    ("highest", "expected"),
    [
        (0.0, [0.0, 1.0]),
        (0.36, [0.0, 0.1, 0.2, 0.3, 0.4]),
        (1.0, [0.0, 0.2, 0.4, 0.6, 0.8, 1.0]),
        (0.004, [0.0, 0.001, 0.002, 0.003, 0.004]),
    ],
)
def test_ticks_are_round_and_reach_the_highest_value(highest: float, expected: list[float]) -> None:
    assert ticks(highest) == pytest.approx(expected)


def test_a_scale_without_width_puts_everything_in_the_middle() -> None:
    assert Scale(3, 3, 0, 100)(3) == 50


@pytest.mark.parametrize(
    ("span", "words"),
    [
        (timedelta(minutes=1), "14:02:07"),
        (timedelta(hours=3), "14:02"),
        (timedelta(days=2), "8 Jan 14:02"),
        (timedelta(days=40), "8 Jan"),
    ],
)
def test_times_are_as_precise_as_their_axis(span: timedelta, words: str) -> None:
    assert time_words(datetime(2026, 1, 8, 14, 2, 7, tzinfo=UTC), span) == words
