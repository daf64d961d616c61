"""Time of a board of 500 models over 50 datasets, with other weights in every request.

It fills a separate database with rows as events of scores leave them, and asks the leaderboard's routes in this
process: the figures include reading, ranking and writing the answer, without the network. Warm: the scores of the
revision are in memory. No answer is kept, since no two requests have the same weights. Cold: the first request of a
process, which reads all scores. Moving: a score changes before every fifth request, so that most requests come while
the next revision is computed in the background.
"""

import json
import time
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from typing import Any, NamedTuple
from uuid import UUID

import numpy as np
import yaml
from dynabench_common.clock import SystemClock
from dynabench_common.database.connections import create_database_engine
from dynabench_common.database.migrations import upgrade
from dynabench_common.identifiers import new_id
from dynabench_common.testing import Issuer
from dynabench_local import postgres
from dynabench_local.layout import checkout
from flask.testing import FlaskClient
from leaderboard.adapters.projection import VERSION
from leaderboard.adapters.tables import model_board, read_model, score, task_configuration
from leaderboard.bootstrap import MIGRATIONS, dependencies
from leaderboard.entrypoints.http.app import create_app
from sqlalchemy import Engine, create_engine, select, text
from threadpoolctl import threadpool_limits  # type: ignore[import-untyped]

from tests.figures import Figure, at_most, plain
from tests.own_platform import OwnPlatform, console

MODELS, DATASETS, ITEMS = 500, 50, 200
OF_ITEMS = {"accuracy": 0.0, "fairness": 0.05, "robustness": -0.05}
RATIOS = ("throughput", "memory")
DIMENSIONS = ("performance", "throughput", "memory", "fairness", "robustness")
SLUG = "large"
BOARD = f"/api/leaderboard/v1/tasks/{SLUG}/model-board"
WARM, COLD, MOVES, PER_MOVE = 100, 5, 20, 5
BAR_MS = 50
SEED = 20_261_123


class Spent(NamedTuple):
    """Milliseconds of a request, by the clock and of this thread's processor."""

    elapsed: float
    processor: float


def figures(platform: OwnPlatform) -> Iterator[Figure]:
    """Fill a database of its own, ask, and drop it."""
    layout, secrets, name = platform.stack.layout, platform.stack.secrets, f"bench_boards_{new_id().hex[:12]}"
    admin = postgres.admin_url(layout, secrets)
    postgres.ensure_database(admin, name, name, name)
    try:
        address = admin.split("@", 1)[1].split("/", 1)[0]
        yield from measured(f"postgresql+psycopg2://{name}:{name}@{address}/{name}")
    finally:
        server = create_engine(admin, isolation_level="AUTOCOMMIT")
        with server.connect() as connection:
            connection.execute(text(f"DROP DATABASE {name} WITH (FORCE)"))
        server.dispose()


def measured(url: str) -> Iterator[Figure]:
    """Measure on an empty database. Numbers of threads are those that the platform gives its services: one."""
    upgrade(url, MIGRATIONS)
    engine = create_database_engine(url, "bench", pool_size=2)
    fill(engine)
    chance = np.random.default_rng(SEED)
    with threadpool_limits(1):
        cold = [_request(_client(engine), chance) for _ in range(COLD)]
        client = _client(engine)
        _request(client, chance)
        moving = [_request(client, chance) for place in range(MOVES) for _ in _moved(engine, place)]
        warm = [_request(client, chance) for _ in range(WARM)]
        whole = [_request(client, chance, scores="true") for _ in range(COLD)]
    engine.dispose()
    p50, p95 = np.percentile([each.elapsed for each in warm], [50, 95])
    processor = float(np.percentile([each.processor for each in warm], 95))
    slowest = [max(each.elapsed for each in some) for some in (cold, whole)]
    console.print(
        f"board of {MODELS} × {DATASETS}: warm p50 {p50:.0f} ms, p95 {p95:.0f} ms; cold {slowest[0]:.0f} ms"
    )
    name = f"board of {MODELS} models × {DATASETS} datasets × {len(DIMENSIONS)} metrics"
    yield plain(f"{name}, requests, each with other weights", WARM, "requests")
    yield plain(f"{name}, p50", float(p50), "ms")
    yield at_most(f"{name}, p95", float(p95), "ms", BAR_MS)
    yield plain(f"{name}, processor time, p95", processor, "ms")
    yield plain(f"{name}, first request of a process, slowest of {COLD}", slowest[0], "ms")
    p95 = float(np.percentile([each.elapsed for each in moving], 95))
    yield at_most(
        f"{name}, while a score changes before every fifth, p95 of {len(moving)}", p95, "ms", BAR_MS
    )
    yield plain(f"{name}, with every score of every dataset, slowest of {COLD}", slowest[1], "ms")


def _client(engine: Engine) -> FlaskClient:
    """Return a client of a service that has read nothing yet."""
    return create_app(dependencies(engine, Issuer().verifier(), SystemClock())).test_client()


def _moved(engine: Engine, place: int) -> range:
    """Change a score, as when its evaluation was run again; return the requests that follow."""
    with engine.begin() as connection:
        names = select(score.c.evaluation_id).order_by(score.c.evaluation_id).offset(1_237 * place).limit(1)
        connection.execute(
            score.update().where(score.c.evaluation_id == names.scalar_subquery()).values(version=2)
        )
        connection.execute(model_board.update().values(revision=new_id()))
    return range(PER_MOVE)


def _request(client: FlaskClient, chance: np.random.Generator, scores: str = "false") -> Spent:
    """Return the time of one request with its own weights."""
    weights = ",".join(f"{name}:{chance.uniform(0.1, 5):.4f}" for name in DIMENSIONS)
    datasets = ",".join(f"set-{number}:{chance.uniform(0.1, 3):.4f}" for number in range(DATASETS))
    query = {
        "weights": weights,
        "datasets": datasets,
        "gamma": f"{chance.uniform(0.7, 1):.4f}",
        "scores": scores,
    }
    began, worked = time.perf_counter(), time.thread_time()
    answer = client.get(BOARD, query_string=query)
    spent = Spent(1000 * (time.perf_counter() - began), 1000 * (time.thread_time() - worked))
    answer.close()  # it gives back its place among the downloads
    ranked = [row for row in json.loads(answer.data).get("rows", ()) if row["rank"] is not None]
    if len(ranked) != MODELS:
        raise ValueError(f"{len(ranked)} of {MODELS} models are ranked: {answer.text[:300]}")
    return spent


def fill(engine: Engine) -> None:
    """Write the board's rows: models of unequal ability on items of unequal ease."""
    chance = np.random.default_rng(SEED)
    now = datetime.now(UTC)
    shipped = yaml.safe_load((checkout() / "examples" / "dynasent.yaml").read_text())
    configuration = {**shipped, "metrics": {"primary": "accuracy"}}
    with engine.begin() as connection:
        connection.execute(read_model.delete())
        connection.execute(read_model.insert().values(number=0, version=VERSION, state="standing"))
        connection.execute(
            task_configuration.insert().values(
                task_id=new_id(),
                configuration_version=1,
                aggregate_version=1,
                slug=SLUG,
                title="Large",
                configuration=configuration,
            )
        )
        connection.execute(model_board.insert().values(task_slug=SLUG, revision=new_id(), as_of=now))
        ability = chance.uniform(0.5, 0.9, MODELS)
        for number in range(DATASETS):
            connection.execute(score.insert(), list(_scores(chance, number, ability, now)))


def _scores(
    chance: np.random.Generator, number: int, ability: "np.ndarray[Any, np.dtype[np.float64]]", now: datetime
) -> Iterator[Mapping[str, Any]]:
    ease = chance.normal(0, 0.15, ITEMS)
    right = {
        metric: (chance.random((MODELS, ITEMS)) < np.clip(ability[:, None] + more + ease, 0, 1)).astype(float)
        for metric, more in OF_ITEMS.items()
    }
    dataset = {
        "dataset_id": str(UUID(int=number + 1)),
        "name": f"set-{number}",
        "version": 1,
        "kind": "round",
        "round_number": number + 1,
        "access": "open",
        "items": ITEMS,
    }
    for model in range(MODELS):
        values = {metric: 100 * float(each[model].mean()) for metric, each in right.items()}
        values |= {metric: float(chance.lognormal()) for metric in RATIOS}
        metrics = [
            {
                "metric": metric,
                "value": value,
                "n": ITEMS,
                "low": value - 5,
                "high": value + 5,
                "no_interval": "",
                "bytes": 4 * ITEMS if metric in OF_ITEMS else 0,
            }
            for metric, value in values.items()
        ]
        yield {
            "evaluation_id": new_id(),
            "version": 1,
            "task_slug": SLUG,
            "model": {
                "name": f"model-{model:03}",
                "model_digest": f"sha256:{model}",
                "submitted_by": None,
                "prediction_only": False,
            },
            "dataset": dataset,
            "metric_version": 1,
            "state": "done",
            "happened_at": now,
            "metrics": metrics,
            "influences": b"".join(
                ((each[model] - each[model].mean()) / ITEMS).astype("<f4").tobytes()
                for each in right.values()
            ),
            "failed_items": 0,
            "constant_answer": "",
            "target_of_round": False,
        }
