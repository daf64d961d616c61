"""Waiting times of a person: from submit to verdict, and from commit to board."""

import threading
import time
from collections.abc import Callable, Iterator

from dynabench_client import Dynabench

from tests.bench.load import JsonPost, run
from tests.figures import Figure, at_most, plain
from tests.own_platform import OwnPlatform, console

PEOPLE = 5
SECONDS = 20.0
PAUSE = 0.5
SENTENCE = (
    "The waiter was polite to guest {number}, but the fish had seen better days and so had we, honestly."
)


def figures(platform: OwnPlatform) -> Iterator[Figure]:
    """Measure five people who submit twice a second each, without and with explanations running."""
    callers = people(platform, "bench", PEOPLE)
    quiet = run(callers, SECONDS, PAUSE)
    console.print(f"tries: p50 {quiet.p50:.0f} ms, p95 {quiet.p95:.0f} ms, {quiet.failures} failures")
    yield plain("try, submit to verdict, 5 people, p50", quiet.p50, "ms")
    yield at_most("try, submit to verdict, 5 people, p95", quiet.p95, "ms", 150)
    stop = threading.Event()
    explaining = threading.Thread(target=_explain, args=(platform, stop), daemon=True)
    explaining.start()
    busy = run(callers, SECONDS, PAUSE)
    stop.set()
    explaining.join()
    console.print(
        f"tries while explaining: p50 {busy.p50:.0f} ms, p95 {busy.p95:.0f} ms, {busy.failures} failures"
    )
    yield plain("try while explanations run, p50", busy.p50, "ms")
    yield at_most("try while explanations run, p95", busy.p95, "ms", 150)
    yield at_most("failed tries", quiet.failures + busy.failures, "calls", 0)
    yield from _commit_to_board(platform, platform.client("bench-0"))


def people(
    platform: OwnPlatform, name: str, number: int, round_id: str | None = None
) -> list[Callable[[int], bool]]:
    """Return functions of so many new people, each of which submits one try, in the demo's round by default."""
    return [
        _caller(platform, f"{name}-{each}", each, round_id or platform.round_id) for each in range(number)
    ]


def _caller(platform: OwnPlatform, user_name: str, caller: int, round_id: str) -> Callable[[int], bool]:
    context_id = platform.new_annotator(user_name).annotation.assign(round_id).context.context_id
    token = platform.access_token(user_name)
    post = JsonPost(f"{platform.url}/api/annotation/v1/rounds/{round_id}/examples", token)
    offset = [0]

    def submit(_number: int) -> bool:
        offset[0] += 1
        text = SENTENCE.format(number=f"{user_name} {10_000 * caller + offset[0]}")
        return post({"context_id": context_id, "input": {"text": text, "label": "negative"}})

    return submit


def _explain(platform: OwnPlatform, stop: threading.Event) -> None:
    layout = platform.stack.layout
    post = JsonPost(
        layout.url("gateway") + "/api/gateway/v1/models/sentiment-minilm:explain",
        platform.stack.secrets["service_token_annotation"],
    )
    number = 0
    while not stop.is_set():
        number += 1
        if not post({"instances": [{"text": SENTENCE.format(number=f"e{number}")}]}):
            time.sleep(0.1)


def _commit_to_board(platform: OwnPlatform, person: Dynabench) -> Iterator[Figure]:
    context_id = person.annotation.assign(platform.round_id).context.context_id
    waits = []
    for number in range(30):
        before = platform.owner.annotation.counts(platform.round_id).tries
        person.annotation.create_example(
            platform.round_id,
            context_id,
            {"text": f"One more plain sentence, number {number}.", "label": "neutral"},
        )
        committed = time.perf_counter()
        while platform.owner.leaderboard.round(platform.round_id).tries <= before:
            time.sleep(0.01)
        waits.append(1000 * (time.perf_counter() - committed))
    waits.sort()
    yield plain("example committed to board, p50", waits[15], "ms")
    yield at_most("example committed to board, p95", waits[28], "ms", 1000)
