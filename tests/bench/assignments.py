"""Waiting times of fifty people who ask for contexts at the same time."""

from collections.abc import Callable, Iterator

from tests.bench.load import JsonPost, run
from tests.figures import Figure, at_most, plain
from tests.own_platform import OwnPlatform, console

PEOPLE = 50
CONTEXTS = 2_000
SECONDS = 20.0
PAUSE = 1.0


def figures(platform: OwnPlatform) -> Iterator[Figure]:
    """Let each of fifty people skip to another context once a second."""
    made = platform.owner.annotation.create_round("sentiment", ["sentiment-minilm"], "many people")
    lines = (
        f'{{"fields": {{"prompt": "Prompt {number}."}}, "tags": []}}\n'.encode() for number in range(CONTEXTS)
    )
    platform.owner.annotation.upload_contexts(made.round_id, lines)
    platform.owner.annotation.set_round_state(made.round_id, "open")
    callers = []
    for number in range(PEOPLE):
        platform.new_annotator(f"crowd-{number}")
        callers.append(_caller(platform, made.round_id, f"crowd-{number}"))
    load = run(callers, SECONDS, PAUSE)
    console.print(f"assignments: p50 {load.p50:.0f} ms, p95 {load.p95:.0f} ms, {load.failures} failures")
    yield plain(f"context assignment, {PEOPLE} people once a second, p50", load.p50, "ms")
    yield plain(f"context assignment, {PEOPLE} people once a second, p95", load.p95, "ms")
    yield at_most("context assignment, failed", load.failures, "calls", 0)


def _caller(platform: OwnPlatform, round_id: str, user_name: str) -> Callable[[int], bool]:
    url = f"{platform.url}/api/annotation/v1/rounds/{round_id}/assignments"
    post = JsonPost(url, platform.access_token(user_name))
    held: list[str | None] = [None]

    def skip(_number: int) -> bool:
        answer = post.answer({"not_context_id": held[0]} if held[0] else {})
        if answer is None:
            return False
        held[0] = answer["context"]["context_id"]
        return True

    return skip
