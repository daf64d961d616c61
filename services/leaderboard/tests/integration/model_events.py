"""Events of models and their scores, for the boards of models."""

import json
from collections.abc import Mapping, Sequence
from typing import Any
from uuid import UUID

import numpy as np
from dynabench.model.v1 import model_pb2 as model
from dynabench.score.v1 import score_pb2 as score
from dynabench.task.v1 import task_pb2 as task
from dynabench_common.events.cloud_events import Event

from services.leaderboard.tests.conftest import SENTIMENT, START, Story

ITEMS = 200
RATES = {"accuracy": 0.8, "macro_f1": 0.8, "fairness": 0.9, "robustness": 0.85}


class Models:
    """Makes events of models and their scores on datasets of a task."""

    def __init__(self, seed: int = 5) -> None:
        self.story = Story(seed)
        self.chance = np.random.default_rng(seed)
        self.datasets: dict[str, tuple[UUID, int]] = {}
        self.cards = 0
        self.evaluations: dict[tuple[str, str], UUID] = {}

    def configured(self, metrics: Mapping[str, Any] | None = None) -> Event:
        document = {**SENTIMENT, "metrics": metrics or {"primary": "accuracy"}}
        message = task.TaskCreated(
            task_id=str(self.story.task_id),
            slug="sentiment",
            title="Sentiment",
            configuration_version=1,
            configuration_json=json.dumps(document),
            created_at=START,
        )
        return self.story.event(message, self.story.task_id, 1)

    def dataset(self, name: str, version: int = 1, round_number: int = 0, access: str = "open") -> Any:
        key = f"{name} {version}"
        dataset_id, _ = self.datasets.setdefault(key, (self.story.new_id(), 0))
        return score.EvaluatedDataset(
            dataset_id=str(dataset_id),
            name=name,
            version=version,
            digest="sha256:d",
            kind="round" if round_number else "static",
            round_id=str(UUID(int=round_number)) if round_number else "",
            round_number=round_number,
            access=access,
            items=ITEMS,
        )

    def parts(
        self, name: str, submitter: UUID | None, dataset: Any, digest: str = "", *, external: bool = False
    ) -> dict[str, Any]:
        key = (f"{name} {digest}", dataset.dataset_id)
        evaluation_id = self.evaluations.setdefault(key, self.story.new_id())
        return {
            "evaluation_id": str(evaluation_id),
            "task_slug": "sentiment",
            "model": score.EvaluatedModel(
                name=name,
                model_digest=digest or f"sha256:{name}",
                handler_digest="sha256:h",
                submitted_by="" if submitter is None else str(submitter),
                prediction_only=external,
                external=external,
            ),
            "dataset": dataset,
            "metric_version": 101,
        }

    def waiting(self, name: str, submitter: UUID | None, dataset: Any) -> Event:
        parts = self.parts(name, submitter, dataset)
        message = score.EvaluationRequested(**parts, requested_at=self.story.now)
        return self.story.event(message, UUID(parts["evaluation_id"]), 1)

    def failed(self, name: str, submitter: UUID | None, dataset: Any, reason: str) -> Event:
        parts = self.parts(name, submitter, dataset)
        message = score.EvaluationFailed(**parts, fault="ours", reason=reason, failed_at=self.story.now)
        return self.story.event(message, UUID(parts["evaluation_id"]), 2)

    def scored(
        self,
        name: str,
        submitter: UUID | None,
        dataset: Any,
        accuracy: float = 0.8,
        speed: float = 1.0,
        without: Sequence[str] = (),
        **more: Any,
    ) -> Event:
        external = more.pop("external", False)
        parts = self.parts(name, submitter, dataset, more.pop("digest", ""), external=external)
        values, influences = [], []
        for metric, rate in {**RATES, "accuracy": accuracy, "macro_f1": accuracy}.items():
            right = (self.chance.random(ITEMS) < rate).astype(float)
            mean = float(right.mean())
            if metric in without:
                continue
            values.append(
                score.MetricValue(
                    metric=metric, value=100 * mean, n=ITEMS, low=100 * mean - 5, high=100 * mean + 5
                )
            )
            influences.append(
                score.Influence(metric=metric, values=((right - mean) / ITEMS).astype("<f4").tobytes())
            )
        for metric, ratio in (("throughput", speed), ("latency", 1 / speed)):
            if metric not in without:
                values.append(score.MetricValue(metric=metric, value=ratio, n=7, low=ratio, high=ratio))
        message = score.ScoreComputed(
            **parts, values=values, influences=influences, computed_at=self.story.now, **more
        )
        return self.story.event(message, UUID(parts["evaluation_id"]), 2)

    def published(
        self, name: str, submitter: UUID, *, anonymous: bool = False, submissions: int = 1
    ) -> list[Event]:
        events = []
        for number in range(1, submissions + 1):
            submission_id = self.story.new_id()
            submitted = model.ModelSubmitted(
                submission_id=str(submission_id), model_name=name, version=number, task_slug="sentiment",
                submitted_by=str(submitter), archive_digest="sha256:a", archive_bytes=1, submitted_at=START,
            )  # fmt: skip
            events.append(self.story.event(submitted, submission_id, 1))
        shown = model.ModelPublished(
            submission_id=str(submission_id), serving_name=name, task_slug="sentiment",
            submitted_by=str(submitter), anonymous=anonymous, published_at=START,
        )  # fmt: skip
        return [*events, self.story.event(shown, submission_id, 3)]

    def card(self, shown: Event, trained_on: Sequence[str]) -> Event:
        """Return the event of the next change of a published model's card."""
        self.cards += 1
        changed = model.ModelCardChanged(
            submission_id=str(shown.aggregate_id), serving_name="learned",
            task_slug="sentiment", submitted_by=str(self.story.task_id), trained_on=trained_on,
            changed_at=START,
        )  # fmt: skip
        return self.story.event(changed, shown.aggregate_id, 3 + self.cards)
