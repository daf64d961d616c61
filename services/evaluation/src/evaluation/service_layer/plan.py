"""Planning of evaluations: every served model on every dataset of its task.

The plan follows from the served models and the ready datasets, not from single events. So an outage of the gateway, a
lost event and a first start are the same case.
"""

from collections import defaultdict
from collections.abc import Sequence
from uuid import UUID

from dynabench_common.telemetry.logging import get_logger
from dynabench_common.work.worker import Every

from evaluation.domain.evaluations import LiveModel, ModelAway, ScoredDataset
from evaluation.service_layer.dependencies import EvaluatorDependencies
from evaluation.service_layer.prepare import METRIC_VERSION

log = get_logger(__name__)
PLAN_SECONDS = 3.0


class Planner:
    """Requests the evaluations that are missing. Several may run."""

    def __init__(self, app: EvaluatorDependencies) -> None:
        self._app = app
        self._planned: tuple[frozenset[LiveModel], frozenset[UUID]] | None = None

    def plan(self) -> int:
        """Request the missing evaluations; return their number. Raises ModelAway.

        Evaluations are never removed, so with the same models and datasets as before nothing can be missing.
        """
        models = self._app.models.live()
        now = self._app.clock.now()
        with self._app.unit_of_work() as uow:
            datasets = uow.datasets.ready()
            seen = frozenset(models), frozenset(dataset.dataset_id for dataset in datasets)
            if seen == self._planned:
                return 0
            for model in sorted(models, key=lambda model: model.name):
                uow.evaluations.note_model(model)
            known = uow.evaluations.known(METRIC_VERSION)
            missing = [
                (model, dataset)
                for model, dataset in pairs(models, datasets)
                if (model.name, model.model_digest, model.handler_digest, dataset.dataset_id) not in known
            ]
            requested = sum(
                uow.evaluations.request(model, dataset, METRIC_VERSION, now) is not None
                for model, dataset in missing
            )
            uow.commit()
        self._planned = seen
        if requested:
            log.info("evaluations_requested", number=requested)
        return requested


def planning(app: EvaluatorDependencies) -> Every:
    """Return a worker's component that plans every few seconds, and waits while the gateway is away."""
    return Every(
        "evaluation planner",
        PLAN_SECONDS,
        Planner(app).plan,
        busy_seconds=PLAN_SECONDS,
        outages=(ModelAway,),
    )


def pairs(
    models: Sequence[LiveModel], datasets: Sequence[ScoredDataset]
) -> Sequence[tuple[LiveModel, ScoredDataset]]:
    """Return each model with each dataset of its task."""
    by_task: defaultdict[str, list[ScoredDataset]] = defaultdict(list)
    for dataset in datasets:
        by_task[dataset.task_slug].append(dataset)
    return [(model, dataset) for model in models for dataset in by_task[model.task_slug]]
