"""How fast a model is, as the ratio to the task's reference baseline measured in the same run.

Both answer the same texts in turns, so that whatever else the machine does meanwhile slows both. Throughput is that of
calls with as many texts as a call carries, latency that of calls with one, warm; a ratio is the median over turns, its
interval the range that holds 95 % of such medians (order statistics, exact binomial).
"""

import time
from collections.abc import Mapping, Sequence
from statistics import median

from dynabench_common.logging import get_logger
from dynabench_events.score import MetricValue
from dynabench_tasks.configuration.task_configuration import TaskConfiguration

from scoring.domain.evaluation import Evaluation, EvaluationFailure, LiveModel, ModelAway
from scoring.evaluation.items import Item
from scoring.service_layer.evaluations.ports import InstancesRefused, Models
from scoring.service_layer.heartbeat import Heartbeat

log = get_logger(__name__)
TURNS = 7
"""Of seven values the smallest and the largest hold the median with 98 %; of six with 97."""
BATCH = 16
SINGLE = 4
THROUGHPUT, LATENCY = "throughput", "latency"
Instances = Sequence[Mapping[str, str]]


class Timer:
    """Measures speed; where that fails, an evaluation has its scores without it."""

    def __init__(self, models: Models) -> None:
        self._models = models

    def measure(
        self, evaluation: Evaluation, task: TaskConfiguration, items: Sequence[Item], beat: Heartbeat
    ) -> Sequence[MetricValue]:
        """Return throughput and latency as ratios to the baseline's; nothing where one of the two does not answer."""
        model = evaluation.model
        try:
            baseline = baseline_of(model.task_slug, self._models.live())
            if baseline is None:
                return ()
            if baseline.name == model.name:
                return [MetricValue(name, 1.0, TURNS, 1.0, 1.0) for name in (THROUGHPUT, LATENCY)]
            instances = [task.instance(item.context, item.input) for item in _spread(items, BATCH)]
            return self._ratios(model, baseline, instances, beat)
        except (ModelAway, InstancesRefused, EvaluationFailure) as err:
            log.warning("not_timed", model=model.name, reason=str(err))
            return ()

    def _ratios(
        self, model: LiveModel, baseline: LiveModel, instances: Instances, beat: Heartbeat
    ) -> Sequence[MetricValue]:
        faster, quicker = list[float](), list[float]()
        for each in (model, baseline):
            self._models.predict(each, instances)
        for _ in range(TURNS):
            own, other = self._seconds(model, instances), self._seconds(baseline, instances)
            faster.append(other[0] / own[0])
            quicker.append(own[1] / other[1])
            beat.show()
        return [
            MetricValue(name, median(ratios), TURNS, min(ratios), max(ratios))
            for name, ratios in ((THROUGHPUT, faster), (LATENCY, quicker))
        ]

    def _seconds(self, model: LiveModel, instances: Instances) -> tuple[float, float]:
        """Return how long a full call takes, and one with a single text."""
        began = time.perf_counter()
        self._models.predict(model, instances)
        whole = time.perf_counter() - began
        singles = []
        for instance in instances[:SINGLE]:
            began = time.perf_counter()
            self._models.predict(model, [instance])
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
