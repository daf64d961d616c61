"""View of a model's scores: each dataset with its metrics, their numbers of items, and the evaluation's progress."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import starmap
from typing import Any
from urllib.parse import urlencode

from dynabench_client.results.annotation import Task
from dynabench_client.results.models import (
    Evaluation,
    EvaluationLine,
    MetricOnDataset,
    MetricOnSlice,
    SuiteTest,
)

from web.kit import isolation
from web.kit.charts.intervals import intervals
from web.kit.charts.svg import Chart
from web.kit.language import N_, NC_, _, ngettext, pgettext
from web.kit.numbers import (
    MISSING,
    RateView,
    TimeView,
    count,
    day_and_seconds,
    decimal,
    interval,
    moment,
    percent,
    seconds,
)
from web.kit.service_words import service_words
from web.kit.words import METRICS, Word

STATE = "state of an evaluation"
STATES = {
    "queued": Word(NC_("state of an evaluation", "Queued"), "○", "draft"),
    "running": Word(NC_("state of an evaluation", "Under way"), "●", "open"),
    "finishing": Word(NC_("state of an evaluation", "Finishing"), "●", "open"),
    "done": Word(NC_("state of an evaluation", "Done"), "✓", "correct"),
    "failed": Word(NC_("state of an evaluation", "Failed"), "✕", "incorrect"),
    "cancelled": Word(NC_("state of an evaluation", "Cancelled"), "–", "closed"),
}
FAULTS = {
    "yours": N_("The model caused this. Submit a corrected version."),
    "ours": N_("We caused this. Run it again."),
}
CHANGED = {
    "fairness": N_("Fairness: same answers when names or gendered words are swapped"),
    "robustness": N_("Robustness: same answers when the spelling or punctuation is changed"),
}
RATIOS = {
    "throughput": N_("Speed, as a ratio to the baseline's"),
    "latency": N_("Time to an answer, as a ratio to the baseline's"),
    "memory": N_("Memory, as a ratio to the baseline's"),
}
STATED = {
    "throughput": N_("speed"),
    "memory": N_("memory"),
    "fairness": N_("fairness"),
    "robustness": N_("robustness"),
}
TEST_TYPES = {
    "MFT": N_("the right answer"),
    "INV": N_("the same answer as to the original"),
    "DIR": N_("the same answer as to the original, or an allowed one"),
}
EVENTS = {
    "requested": N_("requested"),
    "taken_over": N_("answers of an identical model reused"),
    "begun": N_("started"),
    "waits": N_("waiting for the model"),
    "goes_on": N_("resumed"),
    "done": N_("done"),
    "failed": N_("failed"),
    "cancelled": N_("cancelled"),
}
OPEN_TO_ALL = "open"
OPEN = frozenset({"queued", "running", "finishing"})
ENDED_WITHOUT_SCORE = frozenset({"failed", "cancelled"})


@dataclass(frozen=True)
class MetricView:
    """A metric's value with its number of items; `note` is the reason for a missing interval."""

    name: str
    words: str
    value: str
    interval: str
    n: str
    note: str


@dataclass(frozen=True)
class SliceView:
    """The primary metric over the items of a tag."""

    tag: str
    metric: MetricView


@dataclass(frozen=True)
class LineView:
    """A line of the log of an evaluation."""

    at: str
    words: str


@dataclass(frozen=True)
class SuiteTestView:
    """A test of a diagnostic suite: its share of passing items, and its type."""

    capability: str
    name: str
    kind: str
    value: str
    interval: str
    n: str
    groups: str


@dataclass(frozen=True)
class EvaluationView:
    """An evaluation; `progress` is in words, `primary` is the task's metric for performance."""

    address: str
    model: str
    model_address: str
    task: str
    dataset: str
    dataset_address: str
    comparison: str
    state: Word
    progress: str
    waits: str
    reason: str
    fault: str
    primary: MetricView | None
    metrics: list[MetricView]
    slices: list[SliceView]
    tests: list[SuiteTestView]
    failed: str
    failures: list[tuple[str, str]]
    constant_answer: str
    swapped_labels: list[tuple[str, str]]
    is_target: bool
    is_open: bool
    is_done: bool
    prediction_only: bool
    external: list[str]
    predictions: str
    may_cancel: bool
    may_run_again: bool
    requested: TimeView | None
    ended: TimeView | None


def newest_of_each(found: Sequence[Evaluation], *, done: bool = False) -> list[Evaluation]:
    """Return the newest finished evaluation of each dataset, of any version, by the datasets' names."""
    newest: dict[str, Evaluation] = {}
    for each in found:
        if not done or each.state == "done":
            newest.setdefault(each.dataset_name, each)
    return [newest[name] for name in sorted(newest)]


def score_chart(found: Sequence[Evaluation], primary: str) -> Chart | None:
    """Return the scores of a model on its datasets as dots with intervals; None if there are not two.

    Without the task's metric there is no chart: another metric may be a ratio, and the chart is in percent.
    """
    if not primary:
        return None
    values = [(each, value) for each in found for value in each.values if value.metric == primary]
    return intervals(
        "score-chart",
        _("Scores on each dataset"),
        _("Dataset"),
        _metric_words(primary),
        [(each.dataset_name, _rate(value), [_written_for(each), count(value.n)]) for each, value in values],
        [_("Texts written to fool it"), _("Items")],
    )


def _rate(found: MetricOnDataset) -> RateView:
    low, high = (None if end is None else end / 100 for end in (found.low, found.high))
    return RateView(
        value=percent(found.value / 100),
        interval=interval(low, high),
        n=count(found.n),
        note=service_words(found.reason or ""),
        share=found.value / 100,
        low=low,
        high=high,
    )


def _written_for(found: Evaluation) -> str:
    return _("yes") if found.target_of_round else _("no")


def evaluation_view(found: Evaluation, primary: str = "") -> EvaluationView:
    """Return the view of an evaluation; `primary` is the name of the task's metric for performance."""
    values = {each.metric: _metric(each) for each in found.values}
    asked = {"first": found.model, "dataset": found.dataset_id}
    has_answers = found.state == "done" and found.dataset_access == OPEN_TO_ALL
    return EvaluationView(
        address=f"/evaluations/{found.evaluation_id}",
        model=found.model,
        model_address=f"/models/{found.model}",
        task=found.task_slug,
        dataset=dataset_words(found),
        dataset_address=f"/datasets/scored/{found.dataset_id}",
        comparison=f"/tasks/{found.task_slug}/board/compare?{urlencode(asked)}",
        state=state_word(found.state),
        progress=_progress(found),
        waits=service_words(found.waits_for or ""),
        reason=service_words(found.reason or ""),
        fault=_(FAULTS[found.fault]) if found.fault in FAULTS else "",
        primary=values.get(primary) or next(iter(values.values()), None),
        metrics=[*values.values(), *starmap(_undefined, found.undefined.items())],
        slices=[SliceView(each.tag, _metric(each)) for each in found.slices],
        tests=[_test(each) for each in found.tests],
        failed=_failed(found),
        failures=[(each, _item_address(found, each)) for each in found.failures],
        constant_answer=found.constant_answer or "",
        swapped_labels=[pair for pair in found.swapped_labels.items() if pair[0] != pair[1]],
        is_target=bool(found.target_of_round),
        is_open=found.state in OPEN,
        is_done=found.state == "done",
        prediction_only=found.prediction_only,
        external=_external(found),
        predictions=f"/api/scoring/v1/evaluations/{found.evaluation_id}/predictions" if has_answers else "",
        may_cancel=found.may_act and found.state in OPEN,
        may_run_again=found.may_act and found.state in ENDED_WITHOUT_SCORE,
        requested=moment(found.requested_at),
        ended=moment(found.ended_at),
    )


def _test(found: SuiteTest) -> SuiteTestView:
    return SuiteTestView(
        found.capability or "–",
        found.test,
        _(TEST_TYPES.get(found.test_type, found.test_type)),
        f"{decimal(found.value)} %",
        _ends(found) or service_words(found.reason or ""),
        count(found.n),
        count(found.groups),
    )


def _ends(found: SuiteTest) -> str:
    return "" if found.low is None or found.high is None else f"{decimal(found.low)}–{decimal(found.high)}"


def primary_of(task: Task | None) -> str:
    """Return the task's metric for performance; empty if unset or unknown."""
    stated: Any = task.configuration.get("metrics") if task else None
    return str(stated.get("primary") or "") if isinstance(stated, dict) else ""


def dataset_words(found: Evaluation) -> str:
    """Return the name of a dataset with its version."""
    return _(
        "%(name)s, version %(version)s",
        name=isolation.name(found.dataset_name),
        version=found.dataset_version,
    )


def state_word(name: str) -> Word:
    """Return the state of an evaluation."""
    word = STATES.get(name, Word(name, "?", "closed"))
    return replace(word, text=pgettext(STATE, word.text))


def log_views(lines: Sequence[EvaluationLine]) -> list[LineView]:
    """Return the view of an evaluation's log."""
    return [LineView(day_and_seconds(line.at), _line_words(line)) for line in lines]


def _line_words(line: EvaluationLine) -> str:
    words = _(EVENTS[line.event]) if line.event in EVENTS else line.event
    if line.reason:
        return f"{words}: {service_words(line.reason)}"
    if line.shards is None:
        return words
    done = line.shards if line.event == "taken_over" else line.shards_done or 0
    return f"{words}: {_parts(done, line.shards)}"


def _parts(done: int, of: int) -> str:
    return ngettext(
        "%(done)s of %(num)s part answered", "%(done)s of %(num)s parts answered", of, done=count(done)
    )


def _progress(found: Evaluation) -> str:
    if found.state == "queued" and found.place is not None:
        return _("number %(place)s in the queue", place=count(found.place))
    if found.state != "running":
        return ""
    parts = _parts(found.shards_done, found.shards)
    if found.seconds_left is None:
        return parts
    return _("%(parts)s, about %(time)s left", parts=parts, time=seconds(found.seconds_left))


def _item_address(found: Evaluation, item_id: str) -> str:
    """Return the address of an item's page; empty unless the dataset is open."""
    if found.dataset_access != OPEN_TO_ALL:
        return ""
    return f"/datasets/scored/{found.dataset_id}/item?{urlencode({'id': item_id})}"


def _failed(found: Evaluation) -> str:
    """Return the number of items without a usable answer, and the total; empty if there are none."""
    if not found.failed_items:
        return ""
    return _(
        "%(failed)s of %(items)s items without a usable answer; they count as wrong",
        failed=count(found.failed_items),
        items=count(found.dataset_items),
    )


def _metric(found: MetricOnDataset | MetricOnSlice) -> MetricView:
    is_ratio = found.metric in RATIOS
    ends = (found.low, found.high)
    low, high = (_value(end, is_ratio=is_ratio) for end in ends)
    turns = ngettext("%(num)s turn", "%(num)s turns", found.n) if is_ratio else ""
    return MetricView(
        name=found.metric,
        words=_metric_words(found.metric),
        value=f"{decimal(found.value, 2)}\u00a0×" if is_ratio else percent(found.value / 100),
        interval="" if None in ends else f"{low}–{high}",
        n=turns or ngettext("%(shown)s item", "%(shown)s items", found.n, shown=count(found.n)),
        note=service_words(found.reason or ""),
    )


def _external(found: Evaluation) -> list[str]:
    """Return the figures that were measured elsewhere."""
    if found.external is None:
        return []
    scores = [_("its scores")] if found.external.are_scores else []
    return scores + [
        f"{_(STATED.get(each.metric, each.metric))} {decimal(each.value)}\u00a0{each.unit}"
        for each in found.external.figures
    ]


def _undefined(name: str, reason: str) -> MetricView:
    return MetricView(name, _metric_words(name), MISSING, "", MISSING, service_words(reason))


def _metric_words(name: str) -> str:
    known = {**METRICS, **CHANGED, **RATIOS}
    return _(known[name]) if name in known else name.replace("_", " ")


def _value(number: float | None, *, is_ratio: bool) -> str:
    return MISSING if number is None else decimal(number, 2 if is_ratio else 1)
