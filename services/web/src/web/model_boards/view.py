"""View of a board."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from urllib.parse import urlencode

from dynabench_client.results.leaderboard import BoardDataset, BoardDimension, Lead, ModelBoard, ModelRow
from markupsafe import Markup

from web.kit import isolation
from web.kit.charts.score_bars import bands, score_bars
from web.kit.language import _
from web.kit.numbers import TimeView, count, decimal, moment, percent
from web.kit.service_words import service_words
from web.model_boards.sparkline import sparkline
from web.model_boards.weights import DIMENSIONS, PRESETS, preset_query

OF_BASELINE, PERCENT = "× baseline", "%"
NO_BAR = Markup()


@dataclass(frozen=True)
class ColumnView:
    """A dimension: its field in the form, its share, and the price of a unit."""

    name: str
    metric: str
    weight: str
    share: str
    price: str
    note: str
    lower_is_better: bool
    is_measured: bool


@dataclass(frozen=True)
class LeadView:
    """Margin of a place: a number of right answers on a dataset's items."""

    over: str
    dataset: str
    items: int
    n: str
    difference: str


@dataclass(frozen=True)
class RowView:
    """A model: its place with both ranges of places, and its values by column.

    `band` is the row's place in a band of tied models: first, middle or last; empty where it is not tied.
    """

    name: str
    address: str
    rank: str
    paired: str
    band: str
    bar: Markup
    score: str
    interval: str
    no_interval: str
    values: Sequence[str]
    n: str
    reason: str
    targets: str
    is_baseline: bool
    is_mine: bool
    is_published: bool
    prediction_only: bool
    external: bool
    is_anonymous: bool
    is_constant: bool
    best_of: int
    gain: str
    lead: LeadView | None
    faster: str
    widened_on: str
    spark: Markup
    spark_words: str
    places: str


@dataclass(frozen=True)
class DatasetView:
    """A dataset of the board: its share, and the smallest difference of two models that it can detect.

    `was_public` if anybody could read its texts while they were collected.
    """

    dataset_id: str
    name: str
    version: int
    weight: str
    share: str
    items: str
    shows: str
    note: str
    is_round: bool
    was_public: bool


@dataclass(frozen=True)
class BoardView:
    """The whole board; `presets` are query strings by name."""

    columns: Sequence[ColumnView]
    ranked: Sequence[RowView]
    unranked: Sequence[RowView]
    datasets: Sequence[DatasetView]
    as_of: TimeView | None
    digest: str
    gamma: str
    mode: str
    problem: str
    presets: Sequence[tuple[str, str]]
    external: bool
    external_models: int

    @property
    def published(self) -> Sequence[RowView]:
        """Return the ranked models that everybody may see."""
        return [row for row in self.ranked if row.is_published]

    @property
    def has_sparks(self) -> bool:
        """Return whether any model was scored on two rounds."""
        return any(row.spark for row in self.ranked)

    @property
    def width(self) -> int:
        """Return the number of columns after the model's name."""
        return 2 + sum(column.is_measured for column in self.columns) + self.has_sparks


def board_view(found: ModelBoard, public: Collection[str] = ()) -> BoardView:
    """Return the view of a board; `public` are the datasets whose texts were public while they were collected."""
    by_name = {each.name: each for each in found.dimensions}
    dimensions = [by_name[name] for name in DIMENSIONS if name in by_name]
    rounds = [each.round_number for each in found.datasets]
    ranked = [row for row in found.rows if row.rank is not None]
    tied = zip(bands([row.tie_group for row in ranked]), score_bars(ranked), strict=True)
    return BoardView(
        [_column(each) for each in dimensions],
        [_row(row, dimensions, rounds, *drawn) for row, drawn in zip(ranked, tied, strict=True)],
        [_row(row, dimensions, rounds) for row in found.rows if row.rank is None],
        [_dataset(each, public) for each in found.datasets],
        moment(found.as_of),
        found.digest,
        f"{found.gamma:g}",
        found.mode,
        found.problem,
        [(name, urlencode(preset_query(name))) for name in PRESETS],
        found.external,
        found.external_models,
    )


def csv_rows(found: ModelBoard) -> Iterator[Sequence[object]]:
    """Yield the board as rows of a table, the header first."""
    dimensions = [each.name for each in found.dimensions]
    yield ["rank", "rank_first", "rank_last", "model", "score", "low", "high", *dimensions, "items", "reason"]
    for row in found.rows:
        first, last = row.rank_set or (None, None)
        low, high = row.interval or (None, None)
        values = [row.values.get(name) for name in dimensions]
        yield [
            row.rank,
            first,
            last,
            _safe(row.model),
            row.score,
            low,
            high,
            *values,
            row.n or None,
            row.reason,
        ]


def _safe(text: str) -> str:
    """Return a text that spreadsheets do not evaluate."""
    return f"'{text}" if text[:1] in "=+-@" else text


def _column(found: BoardDimension) -> ColumnView:
    return ColumnView(
        found.name,
        found.metric,
        f"{found.weight:g}",
        percent(found.share, 0),
        "" if found.price is None or found.name == "performance" else decimal(found.price, 2),
        found.note,
        found.direction == "lower",
        found.is_measured,
    )


def _row(
    row: ModelRow,
    dimensions: Sequence[BoardDimension],
    rounds: Sequence[int | None],
    band: str = "",
    bar: Markup = NO_BAR,
) -> RowView:
    spark, words = sparkline(
        [(number, value) for number, value in zip(rounds, row.primary, strict=True) if number is not None]
    )
    return RowView(
        row.model,
        f"/models/{row.model}",
        places(row.rank_set),
        places(row.rank_interval),
        band,
        bar,
        decimal(row.score),
        "" if row.interval is None else f"{decimal(row.interval[0])}–{decimal(row.interval[1])}",
        service_words(row.no_interval),
        [_value(each.unit, row.values.get(each.name)) for each in dimensions],
        count(row.n),
        service_words(row.reason),
        ", ".join(map(str, row.target_of)),
        row.is_baseline,
        row.is_mine,
        row.is_published,
        row.prediction_only,
        row.external,
        row.is_anonymous,
        row.is_constant,
        row.submissions,
        "" if row.best_of_gain is None else decimal(row.best_of_gain),
        None if row.lead is None else _lead(row.lead),
        _times(row.faster),
        isolation.names(row.widened_on),
        spark,
        words,
        " ".join(map(str, (row.rank, *row.rank_set))) if row.rank is not None and row.rank_set else "",
    )


def _lead(found: Lead) -> LeadView:
    return LeadView(
        found.over, found.dataset, found.items, count(found.n), decimal(float(found.difference), 0)
    )


def _times(ratios: Sequence[float] | None) -> str:
    """Return the speed ratio of a model to the others, as a number or a range."""
    if ratios is None:
        return ""
    first, last = (decimal(each) for each in ratios)
    return first if first == last else _("%(first)s to %(last)s", first=first, last=last)


def places(found: tuple[int, ...] | None) -> str:
    """Return possible places as a number or a range."""
    if found is None:
        return "–"
    first, last = found
    return str(first) if first == last else f"{first}–{last}"


def _value(unit: str, value: float | None) -> str:
    if value is None:
        return "–"
    if unit == PERCENT:
        return decimal(value)
    return f"{decimal(value, 2)} {'×' if unit == OF_BASELINE else unit}"


def _dataset(found: BoardDataset, public: Collection[str]) -> DatasetView:
    return DatasetView(
        found.dataset_id,
        found.name,
        found.version,
        f"{found.weight:g}",
        percent(found.share, 0),
        count(found.items),
        decimal(found.least_difference),
        found.note,
        found.round_number is not None,
        found.dataset_id in public,
    )
