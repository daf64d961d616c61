"""What the gateway costs and gains: the same texts sent to TorchServe directly and through the gateway."""

import json
from collections.abc import Callable, Iterator

from dynabench_local.torchserve import key_file

from tests.bench.load import JsonPost, Sample, run
from tests.figures import Figure, at_least, at_most, plain
from tests.own_platform import OwnPlatform, console

MODEL = "sentiment-minilm"
SECONDS = 4.0
TURNS = 3
TEXT = "The waiter was polite to number {number}, but the fish had seen better days and so had we, honestly."


def figures(platform: OwnPlatform) -> Iterator[Figure]:
    """Measure at 1, 8 and 32 callers, turn about, so that a slow minute hits both alike."""
    layout = platform.stack.layout
    key = json.loads(key_file(layout).read_text())["inference"]["key"]
    direct_url = layout.url("torchserve_inference") + f"/predictions/{MODEL}"
    gateway_url = layout.url("gateway") + f"/api/gateway/v1/models/{MODEL}:predict"
    token = platform.stack.secrets["service_token"]
    for concurrency in (1, 8, 32):
        direct, gateway = Sample(), Sample()
        for _ in range(TURNS):
            direct.add(run([_caller(direct_url, key, n) for n in range(concurrency)], SECONDS))
            gateway.add(run([_caller(gateway_url, token, n) for n in range(concurrency)], SECONDS))
        console.print(f"gateway at {concurrency}: direct {direct.p50:.1f} ms, through {gateway.p50:.1f} ms")
        yield from _compare(concurrency, direct, gateway)


def _compare(concurrency: int, direct: Sample, gateway: Sample) -> Iterator[Figure]:
    yield plain(f"TorchServe p50 at {concurrency}", direct.p50, "ms")
    yield plain(f"TorchServe throughput at {concurrency}", direct.per_second, "1/s")
    yield at_most(f"gateway failures at {concurrency}", gateway.failures, "calls", 0)
    latency, throughput = gateway.p50 / direct.p50, gateway.per_second / max(direct.per_second, 1e-9)
    if concurrency == 1:
        yield at_most("gateway over TorchServe, p50 at 1", latency, "×", 1.15)
    else:
        yield plain(f"gateway over TorchServe, p50 at {concurrency}", latency, "×")
    if concurrency == 32:
        yield at_least("gateway over TorchServe, throughput at 32", throughput, "×", 0.95)
    else:
        yield plain(f"gateway over TorchServe, throughput at {concurrency}", throughput, "×")


def _caller(url: str, token: str, caller: int) -> Callable[[int], bool]:
    post = JsonPost(url, token)
    return lambda number: post({"instances": [{"text": TEXT.format(number=1000 * caller + number)}]})
