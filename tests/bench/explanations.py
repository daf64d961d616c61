"""Cost of an explanation: n steps through the gateway over one forward pass batched n-fold."""

import statistics
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

from tests.bench.load import JsonPost
from tests.figures import Figure, at_most, plain
from tests.own_platform import OwnPlatform, console

STEPS = 20
OTHER_STEPS = (10, 50, 100)
TEXT = "The waiter was polite to guest {number}, but the fish had seen better days and so had we."
PATIENCE_SECONDS = 90


def figures(platform: OwnPlatform) -> Iterator[Figure]:
    """Explain twelve texts one after another, then four for other numbers of steps; none comes from the cache."""
    layout = platform.stack.layout
    url = layout.url("gateway") + "/api/gateway/v1/models/sentiment-minilm:explain"
    post = JsonPost(url, platform.stack.secrets["service_token_annotation"])
    deadline = time.monotonic() + PATIENCE_SECONDS
    while not post(_body(0)):
        if time.monotonic() > deadline:
            raise TimeoutError(f"no explanation within {PATIENCE_SECONDS} s")
        time.sleep(0.5)
    explained = _median(post, range(1, 13), STEPS)
    forward = _forward(platform)
    console.print(f"explanation: {explained:.0f} ms, batched forward {forward:.0f} ms")
    yield plain(f"explanation with {STEPS} steps, p50", explained, "ms")
    yield plain(f"forward batched {STEPS}-fold, p50", forward, "ms")
    yield at_most(f"explanation with {STEPS} steps over a forward of {STEPS}", explained / forward, "×", 3)
    for steps in OTHER_STEPS:
        yield plain(f"explanation with {steps} steps, p50", _median(post, range(20, 24), steps), "ms")


def _median(post: JsonPost, numbers: range, steps: int) -> float:
    """Return the median time of explaining the numbered texts, in milliseconds."""
    times = []
    for number in numbers:
        began = time.perf_counter()
        if not post(_body(number, steps)):
            raise RuntimeError("an explanation failed")
        times.append(1000 * (time.perf_counter() - began))
    return statistics.median(times)


def _body(number: int, steps: int = STEPS) -> dict[str, object]:
    return {"instances": [{"text": TEXT.format(number=number)}], "parameters": {"n_steps": steps}}


def _forward(platform: OwnPlatform) -> float:
    layout = platform.stack.layout
    script = Path(__file__).with_name("batched_forward.py")
    archive = layout.model_store / "sentiment-minilm.mar"
    command = [str(layout.serving_python), str(script), str(archive), str(STEPS), TEXT.format(number=1)]
    result = subprocess.run(command, capture_output=True, text=True, check=True)
    return float(result.stdout.strip().splitlines()[-1])
