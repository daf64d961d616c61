"""Time of a try with one, two and four targets in the loop, all asked at once."""

from collections.abc import Callable, Iterator

from dynabench_client import Dynabench

from tests.bench.load import JsonPost, run
from tests.figures import Figure, at_most, plain
from tests.own_platform import OwnPlatform, console

PEOPLE = 5
SECONDS = 20.0
PAUSE = 0.5
COPIES = ("sentiment-minilm-b", "sentiment-minilm-c", "sentiment-minilm-d")
TARGETS = ("sentiment-minilm", *COPIES)
BARS = {1: 150, 2: None, 4: 400}


def copies_of(entry: dict[str, object]) -> list[dict[str, object]]:
    """Return entries of the models file that serve the same archive under other names, one worker each."""
    alone = {key: value for key, value in entry.items() if key != "explain"}
    return [{**alone, "name": name, "workers": 1} for name in COPIES]


def figures(platform: OwnPlatform) -> Iterator[Figure]:
    """Measure five people who submit twice a second each."""
    people = [platform.new_annotator(f"ensemble-{number}") for number in range(PEOPLE)]
    for number, bar in BARS.items():
        round_id = _open_round(platform.owner, TARGETS[:number])
        callers = [_caller(platform, person, round_id, place) for place, person in enumerate(people)]
        load = run(callers, SECONDS, PAUSE)
        console.print(
            f"tries with {number} targets: p50 {load.p50:.0f} ms, p95 {load.p95:.0f} ms, {load.failures} failures"
        )
        name = f"try with {number} target{'s' if number > 1 else ''}"
        yield plain(f"{name}, p50", load.p50, "ms")
        yield (
            plain(f"{name}, p95", load.p95, "ms")
            if bar is None
            else at_most(f"{name}, p95", load.p95, "ms", bar)
        )
        yield plain(f"{name}, failed", load.failures, "calls")


def _open_round(owner: Dynabench, targets: tuple[str, ...]) -> str:
    made = owner.annotation.create_round("sentiment", list(targets), f"{len(targets)} targets")
    prompts = [{"fields": {"prompt": f"Prompt {number}."}, "tags": []} for number in range(20)]
    owner.annotation.add_contexts(made.round_id, prompts)
    owner.annotation.set_round_state(made.round_id, "open")
    return made.round_id


def _caller(platform: OwnPlatform, person: Dynabench, round_id: str, caller: int) -> Callable[[int], bool]:
    context_id = person.annotation.assign(round_id).context.context_id
    token = platform.access_token(f"ensemble-{caller}")
    post = JsonPost(f"{platform.url}/api/annotation/v1/rounds/{round_id}/examples", token)
    sent = [0]

    def submit(_number: int) -> bool:
        sent[0] += 1
        text = f"The waiter was polite to guest {1000 * caller + sent[0]}, but the fish had seen better days."
        return post({"context_id": context_id, "input": {"text": text, "label": "negative"}})

    return submit
