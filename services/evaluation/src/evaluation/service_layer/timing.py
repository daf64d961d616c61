"""Speed and memory of a model, as ratios to the task's reference baseline.

Both answer the same texts in turns, in the same run. So other load on the machine slows both alike. Throughput is
measured with the largest calls, latency with calls of one text, both warm. A ratio is the median over turns. Its
interval is the range that has 95 % of such medians (order statistics, exact binomial).

Memory is the peak of each model's largest worker since its start, as the operating system reports it. It is read once,
after the calls. A worker that has answered longer texts, or answered for longer, may show more.
"""

import time
from collections.abc import Mapping, Sequence
from statistics import median
from uuid import UUID

from dynabench_common.telemetry.logging import get_logger
from dynabench_common.work.jobs import Heartbeat
from dynabench_events.score import MetricValue
from dynabench_tasks.configuration.task_configuration import TaskConfiguration

from evaluation.domain.errors import InstancesRefused
from evaluation.domain.evaluations import Evaluation, EvaluationFailure, LiveModel, ModelAway
from evaluation.domain.items import Item
from evaluation.service_layer.dependencies import EvaluatorDependencies

log = get_logger(__name__)
TURNS = 7
"""The range of seven values includes the median with 98 %, of six with 97 %."""
BATCH = 16
SINGLE = 4
THROUGHPUT, LATENCY, MEMORY = "throughput", "latency", "memory"
READ_ONCE = "it is read once, from the operating system"
Instances = Sequence[Mapping[str, str]]


def measure_speed(
    evaluation: Evaluation,
    task: TaskConfiguration,
    items: Sequence[Item],
    beat: Heartbeat,
    app: EvaluatorDependencies,
) -> Sequence[MetricValue]:
    """Return throughput, latency and memory as ratios to the baseline's.

    Nothing where one of the two does not answer: the evaluation has its scores without it. No memory where nobody can
    tell it.
    """
    model = evaluation.model
    try:
        baseline = baseline_of(model.task_slug, app.models.live())
        if baseline is None:
            return ()
        if baseline.name == model.name:
            itself = [MetricValue(name, 1.0, TURNS, 1.0, 1.0) for name in (THROUGHPUT, LATENCY)]
            return [*itself, *_memory(model.name, baseline.name, app)]
        instances = [task.instance(item.context, item.input) for item in _spread(items, BATCH)]
        ratios = _ratios(evaluation, baseline, instances, beat, app)
        return [*ratios, *_memory(model.name, baseline.name, app)]
    except (ModelAway, InstancesRefused, EvaluationFailure) as err:
        log.warning("not_timed", model=model.name, reason=str(err))
        return ()


def _ratios(
    evaluation: Evaluation,
    baseline: LiveModel,
    instances: Instances,
    beat: Heartbeat,
    app: EvaluatorDependencies,
) -> Sequence[MetricValue]:
    faster, quicker = list[float](), list[float]()
    model, isolated = evaluation.model, evaluation.isolated
    for each in (model, baseline):
        app.models.predict(each, instances, isolated)
    for _ in range(TURNS):
        own, other = (_seconds(each, instances, isolated, app) for each in (model, baseline))
        faster.append(other[0] / own[0])
        quicker.append(own[1] / other[1])
        beat.show()
    return [
        MetricValue(name, median(ratios), TURNS, min(ratios), max(ratios))
        for name, ratios in ((THROUGHPUT, faster), (LATENCY, quicker))
    ]


def _memory(name: str, baseline: str, app: EvaluatorDependencies) -> Sequence[MetricValue]:
    """Return the ratio of memory; nothing where that of one of the two is unknown."""
    peaks = {model.name: model.worker_peak_bytes for model in app.models.live()}
    own, other = peaks.get(name), peaks.get(baseline)
    if not own or not other:
        return ()
    return [MetricValue(MEMORY, own / other, 1, no_interval=READ_ONCE)]


def _seconds(
    model: LiveModel, instances: Instances, isolated: UUID | None, app: EvaluatorDependencies
) -> tuple[float, float]:
    """Return how long a full call takes, and one with a single text."""
    began = time.perf_counter()
    app.models.predict(model, instances, isolated)
    whole = time.perf_counter() - began
    singles = []
    for instance in instances[:SINGLE]:
        began = time.perf_counter()
        app.models.predict(model, [instance], isolated)
        singles.append(time.perf_counter() - began)
    return whole, median(singles)


def baseline_of(task_slug: str, models: Sequence[LiveModel]) -> LiveModel | None:
    """Return the task's reference baseline: the first by name of those that the installation brings."""
    own = [model for model in models if model.task_slug == task_slug and model.submitted_by is None]
    return min(own, key=lambda model: model.name, default=None)


def _spread(items: Sequence[Item], number: int) -> Sequence[Item]:
    """Return so many items from all over the dataset."""
    step = max(len(items) // number, 1)
    return items[::step][:number]
