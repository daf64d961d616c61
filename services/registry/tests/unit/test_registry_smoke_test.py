"""The smoke test against a fake gateway with preset answers."""

from collections import deque
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest
from dynabench_archives.model_servers import SANDBOX_ENDED, Pool
from dynabench_common.identifiers import new_id
from registry.domain.errors import PlatformBusy, StepFailed
from registry.domain.submission import Archive, Step, Submission, SubmissionState
from registry.service_layer.checks import smoke_test
from registry.service_layer.checks.step_run import StepRun
from registry.service_layer.dependencies import WorkerDependencies

LABELS = ("negative", "neutral", "positive")
NOW = datetime(2026, 1, 5, tzinfo=UTC)
Told = tuple[int, Mapping[str, Any]]
Answer = Callable[[Sequence[Mapping[str, str]]], Told]


def submission(pool: Pool) -> Submission:
    return Submission(
        submission_id=new_id(),
        aggregate_version=1,
        model_name="tiny",
        version=1,
        task_slug="sentiment",
        submitted_by=new_id(),
        archive=Archive("tiny.mar", 10, "sha256:dd", 10, "key", ""),
        state=SubmissionState.CHECKING,
        step=Step.SMOKE_TEST,
        created_at=NOW,
        pool=pool,
        serving_name="tiny-v1",
        scan={
            "description": {"task_type": "text-classification", "fields": ["text"], "labels": list(LABELS)}
        },
    )


class Gateway:
    """Answers well, but for the requests that a test tells otherwise."""

    def __init__(self, *told: Answer) -> None:
        self.told = deque(told)
        self.asked: list[list[str]] = []

    def predict(
        self, name: str, instances: Sequence[Mapping[str, str]], wait_seconds: int
    ) -> tuple[int, Mapping[str, Any]]:
        self.asked.append([each["text"] for each in instances])
        return (self.told.popleft() if self.told else well)(instances)


def app(gateway: Gateway, printed: Sequence[str] = ("it printed this",)) -> WorkerDependencies:
    """Return the two collaborators that the step has."""
    agent = SimpleNamespace(printed=lambda _name: printed)
    return cast(WorkerDependencies, SimpleNamespace(predictor=gateway, builder=agent))


def answers(label: str, instances: Sequence[Mapping[str, str]]) -> Told:
    shares = {each: float(each == label) for each in LABELS}
    entries = [{"label": label, "probabilities": shares} for _ in instances]
    return 200, {"predictions": entries, "model_digest": "sha256:m", "handler_digest": "sha256:h"}


def well(instances: Sequence[Mapping[str, str]]) -> Told:
    return answers("neutral", instances)


def otherwise(instances: Sequence[Mapping[str, str]]) -> Told:
    return answers("positive", instances)


def problem(slug: str, status: int = 503) -> Answer:
    return lambda _: (status, {"type": f"/problems/{slug}", "detail": f"It is {slug}."})


def away(_: Sequence[Mapping[str, str]]) -> Told:
    raise PlatformBusy("no connection")


@pytest.fixture(autouse=True)
def no_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(smoke_test, "PAUSE_SECONDS", 0.0)


@pytest.fixture
def run(tmp_path: Path) -> Callable[..., Any]:
    """Run the test against a gateway."""

    def make(gateway: Gateway, pool: Pool = Pool.SANDBOXED) -> Any:
        return smoke_test.smoke_test(StepRun(submission(pool), tmp_path), app(gateway))

    return make


def test_each_sample_is_asked_alone_and_then_together(run: Callable[..., Any]) -> None:
    gateway = Gateway()
    outcome = run(gateway)
    assert [len(texts) for texts in gateway.asked] == [1, 1, 1, 3]
    alone = [texts[0] for texts in gateway.asked[:3]]
    assert sorted(gateway.asked[3]) == sorted(alone) != gateway.asked[3]
    assert [sample["instance"]["text"] for sample in outcome.shown] == alone
    assert outcome.shown[0]["answer"]["label"] == "neutral"


def test_what_is_kept_between_requests_shows(run: Callable[..., Any]) -> None:
    with pytest.raises(StepFailed, match="another answer the second time") as failed:
        run(Gateway(well, otherwise, well))
    assert failed.value.fault == "yours"


@pytest.mark.parametrize("slug", sorted(smoke_test.OF_THE_MODEL))
def test_a_program_that_does_not_answer_is_its_submitters_fault(run: Callable[..., Any], slug: str) -> None:
    tries = smoke_test.PREDICT_TRIES if slug == smoke_test.DEADLINE_PASSED else 1
    gateway = Gateway(*[problem(slug)] * tries)
    with pytest.raises(StepFailed, match=f"fails when it is asked: It is {slug}") as failed:
        run(gateway)
    assert failed.value.fault == "yours"
    assert len(gateway.asked) == tries


def test_an_answer_that_other_work_delayed_is_asked_for_again(run: Callable[..., Any]) -> None:
    assert len(run(Gateway(problem("deadline-passed"), well, problem("deadline-passed"))).shown) == 3


@pytest.mark.parametrize("away_or_told", [away, problem("model-server-away")])
def test_a_program_without_memory_is_told_so(tmp_path: Path, away_or_told: Answer) -> None:
    printed = ("it printed this", f"{SANDBOX_ENDED}it ran out of memory")
    gateway = Gateway(*[away_or_told] * smoke_test.PREDICT_TRIES)
    with pytest.raises(StepFailed, match="The sandbox ended: it ran out of memory") as failed:
        smoke_test.smoke_test(StepRun(submission(Pool.SANDBOXED), tmp_path), app(gateway, printed))
    assert failed.value.fault == "yours"


def test_what_a_program_printed_is_shown_where_it_fails(tmp_path: Path) -> None:
    step = StepRun(submission(Pool.SANDBOXED), tmp_path)
    with pytest.raises(StepFailed):
        smoke_test.smoke_test(step, app(Gateway(problem("model-crashed"))))
    assert step.take_lines()[-1] == "│ it printed this"


def test_a_program_that_stops_answering_is_its_submitters_fault(run: Callable[..., Any]) -> None:
    with pytest.raises(StepFailed, match="After 2 requests it failed: It is model-not-ready"):
        run(Gateway(well, well, problem("model-not-ready")))


@pytest.mark.parametrize("pool", Pool)
def test_workers_that_start_are_waited_for(run: Callable[..., Any], pool: Pool) -> None:
    gateway = Gateway(problem("model-starting"), problem("model-not-found", 404), away)
    assert len(run(gateway, pool).shown) == 3


def test_what_the_platform_runs_is_never_the_submitters_fault(run: Callable[..., Any]) -> None:
    with pytest.raises(PlatformBusy, match="It is model-crashed"):
        run(Gateway(*[problem("model-crashed")] * 4), Pool.SHARED)
    with pytest.raises(StepFailed) as failed:
        run(Gateway(lambda _: (200, {"predictions": []})), Pool.SHARED)
    assert failed.value.fault == "ours"


def test_a_gateway_that_is_away_is_tried_again_and_is_not_the_submitters_fault(
    run: Callable[..., Any],
) -> None:
    gateway = Gateway(*[away] * 4)
    with pytest.raises(PlatformBusy):
        run(gateway)
    assert len(gateway.asked) == 4
