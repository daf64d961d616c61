"""Kill evaluators and model servers in the middle of evaluations: no shard may be lost, none counted twice."""

import io
import time
from collections import Counter
from collections.abc import Callable, Iterator
from uuid import uuid4

import pyarrow.parquet as pq
import urllib3
from dynabench_client.results.models import Evaluation
from dynabench_common.testing import wait_until

from tests.figures import Figure, at_most, plain
from tests.made_items import items, lines
from tests.own_platform import OwnPlatform, console

TASK, LABELS = "sentiment", ("negative", "neutral", "positive")
ITEMS = 3_000
PATIENCE_SECONDS = 600.0
ENDED = ("done", "failed", "cancelled")
Strike = Callable[[OwnPlatform, str], None]


def figures(platform: OwnPlatform, kill: Strike) -> Iterator[Figure]:
    """Evaluate a set undisturbed, then equal ones while processes are killed, and compare what came out."""
    undisturbed = {each.model: each for each in _evaluated(platform, ())}
    yield plain("models evaluated", len(undisturbed), "")
    for parts in (
        ("scoring-evaluator",),
        ("torchserve",),
        ("scoring-evaluator", "gateway-http", "scoring-http"),
    ):
        began = time.monotonic()
        found = _evaluated(platform, parts, kill)
        named = ", ".join(parts)
        console.print(f"evaluations with {named} killed: done after {time.monotonic() - began:.0f} s")
        yield at_most(f"kill {named}: models without a score", len(undisturbed) - len(found), "", 0)
        for label, wrong in _differences(platform, undisturbed, found).items():
            yield at_most(f"kill {named}: {label}", wrong, "", 0)


def _evaluated(platform: OwnPlatform, parts: tuple[str, ...], kill: Strike | None = None) -> list[Evaluation]:
    """Upload a set and wait for every model; kill each part as another third of the shards is answered."""
    mark = f"faults-{uuid4().hex[:8]}"
    made = [
        {**item, "id": f"i{number}", "tags": [mark]}
        for number, item in enumerate(items(LABELS, ITEMS, "fault"))
    ]
    dataset_id = platform.owner.evaluations.add_dataset(TASK, mark, lines(made)).dataset_id
    for number, part in enumerate(parts, start=1):
        share = number / (len(parts) + 2)
        wait_until(lambda share=share: _share(platform, dataset_id) >= share, PATIENCE_SECONDS, "shards")
        if kill is not None:
            kill(platform, part)

    def has_ended() -> bool:
        found = _listed(platform, dataset_id)
        return (
            len(found) > 0
            and all(each.state in ENDED for each in found)
            and _share(platform, dataset_id) >= 1
        )

    wait_until(has_ended, PATIENCE_SECONDS, "evaluations to end")
    return [each for each in _listed(platform, dataset_id) if each.state == "done"]


def _listed(platform: OwnPlatform, dataset_id: str) -> list[Evaluation]:
    try:
        return list(platform.owner.evaluations.evaluations(dataset_id=dataset_id, limit=200).items)
    except Exception:
        return []  # the answering process may just have been killed


def _share(platform: OwnPlatform, dataset_id: str) -> float:
    found = _listed(platform, dataset_id)
    shards = sum(each.shards for each in found)
    return sum(each.shards_done for each in found) / shards if shards else 0.0


def _differences(
    platform: OwnPlatform, before: dict[str, Evaluation], found: list[Evaluation]
) -> dict[str, int]:
    """Count the answers that are lost, doubled or different from the undisturbed run."""
    wrong = Counter(
        {"answers lost": 0, "answers counted twice": 0, "answers otherwise": 0, "values otherwise": 0}
    )
    for each in found:
        own, other = _answers(platform, each), _answers(platform, before[each.model])
        wrong["answers lost"] += len(other.keys() - own.keys())
        wrong["answers counted twice"] += sum(len(answers) - 1 for answers in own.values())
        wrong["answers otherwise"] += sum(own.get(key) != answers for key, answers in other.items())
        mine, theirs = (
            {value.metric: (round(value.value, 6), value.n) for value in one.values}
            for one in (each, before[each.model])
        )
        wrong["values otherwise"] += sum(
            mine.get(metric) != theirs[metric]
            for metric in ("accuracy", "macro_f1", "robustness")
            if metric in theirs
        )
    return dict(wrong)


def _answers(platform: OwnPlatform, evaluation: Evaluation) -> dict[tuple[str, str], list[str]]:
    """Return the stored answers of each item and variant."""
    headers = {"Authorization": f"Bearer {platform.access_token('olga')}"}
    url = f"{platform.url}/api/scoring/v1/evaluations/{evaluation.evaluation_id}/predictions"
    content = urllib3.PoolManager().request("GET", url, headers=headers).data
    found: dict[tuple[str, str], list[str]] = {}
    for row in pq.read_table(io.BytesIO(content)).to_pylist():
        found.setdefault((row["id"], row["rule"]), []).append(str(row["answer"]))
    return found
