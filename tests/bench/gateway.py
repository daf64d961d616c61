"""Cost and gain of the gateway: the same texts sent to TorchServe directly and through the gateway."""

import json
from collections.abc import Callable, Iterator

from dynabench_common.testing import wait_until
from dynabench_local.torchserve import key_file

from tests.bench.load import JsonPost, Sample, run
from tests.figures import Figure, at_least, at_most, plain
from tests.own_platform import OwnPlatform, console

MODEL = "sentiment-minilm"
BATCHED = "sentiment-minilm-batched"
BATCH_SIZE, BATCH_DELAY_MS = 8, 2
"""Batches that fit 32 callers; the delay is the wait of a single caller for others."""
SECONDS = 4.0
TURNS = 3
TEXT = "The waiter was polite to number {number}, but the fish had seen better days and so had we, honestly."


def batching_copy_of(entry: dict[str, object]) -> dict[str, object]:
    """Return an entry of the models file for the same archive with TorchServe's batching, started when it is asked."""
    alone = {key: value for key, value in entry.items() if key != "explain"}
    batching = {"batch_size": BATCH_SIZE, "max_batch_delay_ms": BATCH_DELAY_MS}
    return {**alone, **batching, "name": BATCHED, "start": "on_demand", "idle_seconds": 900}


def figures(platform: OwnPlatform) -> Iterator[Figure]:
    """Measure at 1, 8 and 32 callers, in alternation, so that a slow minute affects all alike."""
    layout = platform.stack.layout
    key = json.loads(key_file(layout).read_text())["inference"]["key"]
    direct_url = layout.url("torchserve_inference") + "/predictions/"
    gateway_url = layout.url("gateway") + "/api/gateway/v1/models/{}:predict"
    token = platform.stack.secrets["service_token_annotation"]
    _await_batching(gateway_url.format(BATCHED), token)
    for concurrency in (1, 8, 32):
        direct, batching, gateway = Sample(), Sample(), Sample()
        for _ in range(TURNS):
            for sample, url, password in (
                (direct, direct_url + MODEL, key),
                (batching, direct_url + BATCHED, key),
                (gateway, gateway_url.format(MODEL), token),
            ):
                sample.add(run([_caller(url, password, n) for n in range(concurrency)], SECONDS))
        console.print(
            f"gateway at {concurrency}: direct {direct.p50:.1f} ms, with batching {batching.p50:.1f} ms, "
            f"through {gateway.p50:.1f} ms"
        )
        yield from _compare(concurrency, direct, gateway)
        yield from _compare_with_batching(concurrency, batching, gateway)


def _await_batching(url: str, token: str) -> None:
    wait_until(lambda: _caller(url, token, 0)(0), 120, f"{BATCHED} answering")


def _compare_with_batching(concurrency: int, batching: Sample, gateway: Sample) -> Iterator[Figure]:
    name = f"gateway over TorchServe in batches of {BATCH_SIZE}"
    yield plain(f"{name}, p50 at {concurrency}", gateway.p50 / batching.p50, "×")
    throughput = gateway.per_second / max(batching.per_second, 1e-9)
    if concurrency == 32:
        yield at_least(f"{name}, throughput at 32", throughput, "×", 0.95)
    else:
        yield plain(f"{name}, throughput at {concurrency}", throughput, "×")


def _compare(concurrency: int, direct: Sample, gateway: Sample) -> Iterator[Figure]:
    yield plain(f"TorchServe p50 at {concurrency}", direct.p50, "ms")
    yield plain(f"TorchServe throughput at {concurrency}", direct.per_second, "1/s")
    yield at_most(f"gateway failures at {concurrency}", gateway.failures, "calls", 0)
    latency, throughput = gateway.p50 / direct.p50, gateway.per_second / max(direct.per_second, 1e-9)
    if concurrency == 1:
        yield at_most("gateway over TorchServe, p50 at 1", latency, "×", 1.25)
    else:
        yield plain(f"gateway over TorchServe, p50 at {concurrency}", latency, "×")
    if concurrency == 32:
        yield at_least("gateway over TorchServe, throughput at 32", throughput, "×", 0.95)
    else:
        yield plain(f"gateway over TorchServe, throughput at {concurrency}", throughput, "×")


def _caller(url: str, token: str, caller: int) -> Callable[[int], bool]:
    post = JsonPost(url, token)
    return lambda number: post({"instances": [{"text": TEXT.format(number=1000 * caller + number)}]})
