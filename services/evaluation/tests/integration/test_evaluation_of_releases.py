"""A released dataset is scored: prepared, planned, answered in shards, and finished, on a real database and store."""

import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

import pytest
from dynabench.score.v1 import score_pb2
from dynabench_common.object_store import S3ObjectStore
from dynabench_common.testing import FixedClock
from dynabench_common.work.retried_jobs import JobRunner
from dynabench_events import decode
from dynabench_events.score import EvaluationFailed, EvaluationRequested, ScoreComputed
from evaluation.adapters.request_store import RequestStore
from evaluation.adapters.tables import evaluation, evaluation_dataset, shard
from evaluation.domain.errors import InstancesRefused
from evaluation.domain.evaluations import EvaluationFailure, LiveModel, ModelAway
from evaluation.service_layer.answer_shards import SHARDS
from evaluation.service_layer.dependencies import EvaluatorDependencies
from evaluation.service_layer.finish import SCORES
from evaluation.service_layer.plan import Planner
from evaluation.service_layer.prepare import DATASETS
from flask.testing import FlaskClient
from scoring.adapters.tables import outbox
from scoring.bootstrap import shared
from scoring.service_layer.dependencies import WorkerDependencies
from sqlalchemy import Engine, select

from services.scoring.tests.conftest import Story

Answer = Callable[[Mapping[str, str]], Mapping[str, Any]]
EMOTIONS = ("negative", "neutral", "positive")


def says(label: str) -> Answer:
    return lambda _: {"label": label, "probabilities": {}}


class ScriptedModels:
    """Models that answer by functions; `trouble` is raised by the next calls, one after the other."""

    def __init__(self) -> None:
        self.answers: dict[str, Answer] = {}
        self.submitters: dict[str, UUID | None] = {}
        self.peaks: dict[str, int] = {}
        self.trouble: list[Exception] = []
        self.asked = 0
        self.isolated: set[UUID | None] = set()

    def add(self, name: str, answer: Answer, submitter: UUID | None = None) -> None:
        self.answers[name] = answer
        self.submitters[name] = submitter

    def live(self) -> Sequence[LiveModel]:
        return [
            LiveModel(
                name,
                "sentiment",
                f"sha256:{name}",
                "sha256:h",
                self.submitters[name],
                published=True,
                worker_peak_bytes=self.peaks.get(name),
            )
            for name in self.answers
        ]

    def predict(
        self, model: LiveModel, instances: Sequence[Mapping[str, str]], isolated: UUID | None = None
    ) -> Sequence[Mapping[str, Any]]:
        self.isolated.add(isolated)
        if self.trouble:
            raise self.trouble.pop(0)
        self.asked += len(instances)
        return [self.answers[model.name](instance) for instance in instances]


class Evaluating:
    """The components of an evaluator, moved by hand."""

    def __init__(self, engine: Engine, store: S3ObjectStore, clock: FixedClock, folder: Path) -> None:
        self.models = ScriptedModels()
        self.engine, self.clock = engine, clock
        self.app = EvaluatorDependencies(
            **shared(engine, store, clock), files=RequestStore(store, folder), models=self.models
        )
        self.planner = Planner(self.app)
        self.preparer = JobRunner(DATASETS, self.app)
        self.runner = JobRunner(SHARDS, self.app)
        self.finisher = JobRunner(SCORES, self.app)

    def settle(self) -> None:
        """Do all that there is to do."""
        while self.preparer.turn():
            pass
        self.planner.plan()
        while self.runner.turn() or self.finisher.turn():
            pass

    def rows(self, table: Any) -> Sequence[Any]:
        with self.engine.connect() as connection:
            return connection.execute(select(table)).all()

    def told(self, kind: type) -> list[Any]:
        found = []
        for row in self.rows(outbox):
            name = row.type.rsplit(".", 1)[1]
            if name == kind.__name__:
                found.append(decode(getattr(score_pb2, name).FromString(bytes(row.payload))))
        return found


@pytest.fixture
def evaluating(engine: Engine, store: S3ObjectStore, clock: FixedClock, tmp_path: Path) -> Evaluating:
    return Evaluating(engine, store, clock, tmp_path)


@pytest.fixture
def released(
    client: FlaskClient, story: Story, owner: dict[str, str], builder: JobRunner[WorkerDependencies]
) -> UUID:
    path = f"/api/scoring/v1/rounds/{story.round_id}/releases"
    answer = client.post(path, headers=owner, json={"accept_unresolved": True, "dev": 0, "test": 0})
    assert answer.status_code == 202, answer.text
    assert builder.turn()
    release = answer.get_json()["release_id"]
    done = client.get(f"/api/scoring/v1/releases/{release}", headers=owner).get_json()
    return UUID(done["dataset_id"])


def test_a_release_is_scored_by_every_served_model(evaluating: Evaluating, released: UUID) -> None:
    for label in EMOTIONS:
        evaluating.models.add(f"always-{label}", says(label))
    evaluating.models.peaks = {"always-negative": 400, "always-positive": 100}
    evaluating.settle()
    (dataset,) = evaluating.rows(evaluation_dataset)
    assert (dataset.dataset_id, dataset.state, dataset.kind) == (released, "ready", "round")
    assert dataset.requests > dataset.items > 0
    scores = {each.model.name: each for each in evaluating.told(ScoreComputed)}
    assert set(scores) == {f"always-{label}" for label in EMOTIONS}
    accuracies = {name: value_of(score, "accuracy") for name, score in scores.items()}
    assert sum(each.value for each in accuracies.values()) == pytest.approx(100)
    assert all(each.n == dataset.items for each in accuracies.values())
    one = scores["always-neutral"]
    assert one.constant_answer == ("neutral" if dataset.items >= 20 else "")
    assert value_of(one, "throughput").value > 0
    memory = {
        name: [each.value for each in score.values if each.metric == "memory"]
        for name, score in scores.items()
    }
    assert memory == {"always-negative": [1.0], "always-neutral": [], "always-positive": [0.25]}
    assert {row.state for row in evaluating.rows(evaluation)} == {"done"}
    asked = evaluating.models.asked
    evaluating.settle()
    assert evaluating.models.asked == asked


def test_a_model_that_is_away_is_waited_for(evaluating: Evaluating, released: UUID) -> None:
    evaluating.models.add("mine", says("neutral"), uuid4())
    evaluating.models.trouble = [ModelAway("starting, about 10 s", 10)]
    evaluating.settle()
    (row,) = evaluating.rows(evaluation)
    assert (row.state, row.waits_for) == ("running", "starting, about 10 s")
    evaluating.clock.move(11)
    evaluating.settle()
    (row,) = evaluating.rows(evaluation)
    assert (row.state, row.waits_for) == ("done", None)


def test_what_one_text_breaks_is_counted_as_wrong_and_listed(evaluating: Evaluating, released: UUID) -> None:
    calls = 0

    def answer(instance: Mapping[str, str]) -> Mapping[str, Any]:
        nonlocal calls
        calls += 1
        return {"error": {"type": "x", "detail": "no"}} if calls == 1 else says("neutral")(instance)

    evaluating.models.add("mine", answer, uuid4())
    evaluating.settle()
    (score,) = evaluating.told(ScoreComputed)
    (row,) = evaluating.rows(evaluation)
    assert score.failed_items == 1
    assert len(row.result["failures"]) == 1


def test_a_text_that_is_refused_does_not_take_its_neighbours_along(
    evaluating: Evaluating, released: UUID
) -> None:
    evaluating.models.add("mine", says("neutral"), uuid4())
    evaluating.models.trouble = [InstancesRefused("too long"), InstancesRefused("too long")]
    evaluating.settle()
    (score,) = evaluating.told(ScoreComputed)
    assert score.failed_items == 1


def test_another_model_under_the_name_ends_it(evaluating: Evaluating, released: UUID) -> None:
    from dynabench_events.score import Fault

    evaluating.models.add("mine", says("neutral"), uuid4())
    evaluating.models.trouble = [EvaluationFailure(Fault.CANCELLED, "Another model answers under this name.")]
    evaluating.settle()
    (failed,) = evaluating.told(EvaluationFailed)
    assert failed.fault is Fault.CANCELLED
    assert evaluating.rows(evaluation)[0].state == "cancelled"
    assert not evaluating.told(ScoreComputed)


def test_equal_models_under_other_names_are_not_asked_again(evaluating: Evaluating, released: UUID) -> None:
    evaluating.models.add("first", says("neutral"), uuid4())
    evaluating.settle()
    asked = evaluating.models.asked
    live = evaluating.models.live()[0]
    twin = LiveModel("twin", live.task_slug, live.model_digest, live.handler_digest, uuid4(), published=True)
    evaluating.models.live = lambda: [live, twin]  # type: ignore[method-assign]
    evaluating.settle()
    first, second = evaluating.told(ScoreComputed)
    assert evaluating.models.asked == asked
    assert [each.value for each in first.values] == [each.value for each in second.values]


def test_two_workers_never_answer_the_same_shard(
    evaluating: Evaluating,
    released: UUID,
    store: S3ObjectStore,
    tmp_path: Path,
) -> None:
    people = [uuid4() for _ in range(3)]
    for number in range(6):
        evaluating.models.add(f"m{number}", says("neutral"), people[number % 3])
    while evaluating.preparer.turn():
        pass
    evaluating.planner.plan()
    runners = [evaluating.runner]
    for _ in range(3):
        files = RequestStore(store, tmp_path)
        runners.append(JobRunner(SHARDS, replace(evaluating.app, files=files)))

    def work(runner: JobRunner[EvaluatorDependencies]) -> None:
        while runner.turn():
            pass

    threads = [threading.Thread(target=partial(work, runner)) for runner in runners]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    while evaluating.runner.turn():
        pass
    assert {row.attempts for row in evaluating.rows(shard)} == {1}
    assert {row.state for row in evaluating.rows(evaluation)} == {"finishing"}


def test_who_has_least_in_hand_comes_first(evaluating: Evaluating, released: UUID) -> None:
    greedy, modest = uuid4(), uuid4()
    for number in range(5):
        evaluating.models.add(f"a{number}", says("neutral"), greedy)
    while evaluating.preparer.turn():
        pass
    evaluating.planner.plan()
    assert evaluating.runner.claim() is not None
    evaluating.clock.move(1)
    evaluating.models.add("z", says("neutral"), modest)
    evaluating.planner.plan()
    held = evaluating.runner.claim()
    assert held is not None
    by_id = {row.shard_id: row.evaluation_id for row in evaluating.rows(shard)}
    names = {row.evaluation_id: row.model_name for row in evaluating.rows(evaluation)}
    assert names[by_id[held.key]] == "z"


def test_submitters_take_turns_also_with_one_evaluator(evaluating: Evaluating, released: UUID) -> None:
    """Without leased shards all are level; without turns, the first to ask would be served to the end first."""
    greedy, modest, late = uuid4(), uuid4(), uuid4()
    asked: list[str] = []
    for number in range(6):
        evaluating.models.add(f"a{number}", noting(asked, f"a{number}"), greedy)
    evaluating.models.add("b", noting(asked, "b"), modest)
    evaluating.models.add("c", noting(asked, "c"), late)
    evaluating.models.add("d", noting(asked, "d"), None)
    while evaluating.preparer.turn():
        pass
    evaluating.planner.plan()
    while evaluating.runner.turn():
        evaluating.clock.move(1)
        evaluating.finisher.turn()
    turns = list(dict.fromkeys(asked))
    assert sorted(turns[:4]) == ["a0", "b", "c", "d"]
    assert turns[4:] == ["a1", "a2", "a3", "a4", "a5"]


def noting(asked: list[str], name: str) -> Answer:
    answer = says("neutral")

    def noted(instance: Mapping[str, str]) -> Mapping[str, Any]:
        asked.append(name)
        return answer(instance)

    return noted


def value_of(score: ScoreComputed, metric: str) -> Any:
    return next(each for each in score.values if each.metric == metric)


def test_requests_are_told(evaluating: Evaluating, released: UUID) -> None:
    evaluating.models.add("mine", says("neutral"), uuid4())
    evaluating.settle()
    (requested,) = evaluating.told(EvaluationRequested)
    assert requested.dataset.round_number == 1
