"""Speed of evaluations: against the same model in process, with two workers, and their effect on people's tries."""

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from statistics import median
from uuid import uuid4

from dynabench_client.results.models import Evaluation
from dynabench_common.testing import wait_until
from dynabench_local.layout import checkout
from evaluation.domain.items import Item
from evaluation.domain.variants import variants

from tests.bench.load import run
from tests.bench.tries import PAUSE, PEOPLE, people
from tests.figures import Figure, at_least, at_most, plain
from tests.made_items import items, lines
from tests.own_platform import OwnPlatform, console

TASK, MODEL, TASK_TYPE = "hate-speech", "hate-speech-minilm", "text-classification"
LABELS = ("hateful", "not hateful")
LOOP_TASK, LOOP_LABELS = "sentiment", ("negative", "neutral", "positive")
ITEMS = 1_500
BATCH = 16
TURNS = 3
PATIENCE_SECONDS = 300.0
SECONDS = 20.0


def figures(platform: OwnPlatform) -> Iterator[Figure]:
    """Evaluate one model, in turns with its texts in process; then with two workers; then while people try."""
    alone, inside = [], []
    for _ in range(TURNS):
        alone.append(_rate(platform))
        inside.append(_in_process(platform))
    console.print(f"evaluations: {median(alone):.0f} requests/s, in process {median(inside):.0f} texts/s")
    yield plain("evaluation of one model, requests", median(alone), "1/s")
    yield plain("the same model in process, batches of 16, one thread", median(inside), "1/s")
    yield at_least("evaluation over in-process batch inference", median(alone) / median(inside), "×", 0.9)
    with _second_worker(platform):
        both = [_rate(platform) for _ in range(TURNS)]
    yield plain("two evaluation workers over one", median(both) / median(alone), "×")
    yield from _felt_by_people(platform)


def _upload(platform: OwnPlatform, task: str, labels: tuple[str, ...], number: int) -> str:
    mark = uuid4().hex[:8]
    made = lines(items(labels, number, mark))
    return platform.owner.evaluations.add_dataset(task, f"bench-{mark}", made).dataset_id


def _rate(platform: OwnPlatform) -> float:
    """Return requests per second from the first shard to the scores, speed and memory measured included."""
    done = _evaluated(platform, _upload(platform, TASK, LABELS, ITEMS), MODEL)
    requests = platform.owner.evaluations.scored_dataset(done.dataset_id).requests or 0
    if done.begun_at is None or done.ended_at is None:
        raise RuntimeError("an evaluation that is done has begun and ended")
    return requests / (done.ended_at - done.begun_at).total_seconds()


def _evaluated(platform: OwnPlatform, dataset_id: str, model: str) -> Evaluation:
    found: list[Evaluation] = []

    def is_done() -> bool:
        listed = platform.owner.evaluations.evaluations(dataset_id=dataset_id, model=model).items
        found[:] = [each for each in listed if each.state == "done"]
        return bool(found)

    wait_until(is_done, PATIENCE_SECONDS, f"{model} to be evaluated")
    return found[0]


def _in_process(platform: OwnPlatform) -> float:
    layout = platform.stack.layout
    texts = "\n".join(_asked_texts())
    archive = str(layout.model_store / f"{MODEL}.mar")
    program = str(checkout() / "tests" / "bench" / "in_process.py")
    environment = {
        **os.environ,
        "PYTHONPATH": str(checkout() / "model-archives" / "src"),
        "OMP_NUM_THREADS": "1",
    }
    result = subprocess.run(
        [str(layout.serving_python), program, archive, TASK_TYPE, str(BATCH)],
        input=texts,
        env=environment,
        text=True,
        check=True,
        stdout=subprocess.PIPE,
        stderr=sys.stderr,
    )
    return float(result.stdout)


def _asked_texts() -> Iterator[str]:
    """Yield the texts of an evaluation: each item's, and those of its variants."""
    for number, made in enumerate(items(LABELS, ITEMS, uuid4().hex[:8])):
        item = Item(made["id"], made["context"], made["input"], (made["label"],), made["id"])
        yield str(item.input["text"])
        yield from (str(each.input["text"]) for each in variants(number, item, LABELS, ["text"]))


@contextmanager
def _second_worker(platform: OwnPlatform) -> Iterator[None]:
    """Run a second evaluator in addition to the platform's."""
    environment = {**os.environ, **platform.stack.environment("scoring")}
    command = [str(platform.stack.layout.scripts / "scoring"), "evaluator"]
    worker = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        time.sleep(5)
        yield
    finally:
        worker.terminate()
        worker.wait()


def _felt_by_people(platform: OwnPlatform) -> Iterator[Figure]:
    """Measure tries with and without evaluations of their targets."""
    callers = people(platform, "evaluated", PEOPLE)
    quiet = run(callers, SECONDS, PAUSE)
    dataset_id = _upload(platform, LOOP_TASK, LOOP_LABELS, 4 * ITEMS)
    wait_until(lambda: _is_running(platform, dataset_id), PATIENCE_SECONDS, "an evaluation to run")
    busy = run(callers, SECONDS, PAUSE)
    went_on = _is_running(platform, dataset_id)
    console.print(
        f"tries: p95 {quiet.p95:.0f} ms, while targets are evaluated {busy.p95:.0f} ms "
        f"({datetime.now(UTC):%H:%M:%S}, still running: {went_on})"
    )
    yield plain("try without evaluations, p95", quiet.p95, "ms")
    yield at_most("try while its targets are evaluated, p95", busy.p95, "ms", 150)
    yield at_most("tries that failed meanwhile", busy.failures, "calls", 0)
    yield at_least("evaluation ran the whole time (1: it did)", float(went_on), "", 1)


def _is_running(platform: OwnPlatform, dataset_id: str) -> bool:
    found = platform.owner.evaluations.evaluations(dataset_id=dataset_id).items
    return any(each.state == "running" and each.shards_done < each.shards for each in found)
