"""Time of the release of a large round, from the request to the dataset.

Its examples and votes are written into scoring's own tables; the cost of their events is measured elsewhere.
"""

import io
import json
import random
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from uuid import UUID

import psycopg2
from dynabench_client import ProblemError
from dynabench_client.areas.datasets import DatasetsClient
from dynabench_common.testing import wait_until
from dynabench_local import postgres

from tests.figures import Figure, plain
from tests.own_platform import OwnPlatform, console

EXAMPLES = 100_000
VOTES = 5
PEOPLE = 2_000
LABELS = ("positive", "negative", "neutral")
WORDS = (
    "soup",
    "came",
    "late",
    "and",
    "nobody",
    "sent",
    "it",
    "back",
    "who",
    "waits",
    "here",
    "with",
    "smiles",
)
PATIENCE_SECONDS = 900
EXAMPLE_COLUMNS = (
    "example_id, created_version, task_id, round_id, author_id, configuration_version, context, input, claimed, "
    "answers, verdict, cohort, condition, tags, created_at, resolution_version, resolution, golds, is_adjudicated, "
    "resolved_at"
)
VOTE_COLUMNS = "vote_id, cast_version, example_id, voter_id, kind, option, reason, counted, metadata, cast_at"


def figures(platform: OwnPlatform) -> Iterator[Figure]:
    """Fill a closed round, and release it."""
    annotation, datasets = platform.administrator.annotation, platform.administrator.datasets
    started = annotation.start_import("dynasent", "a round to release", ["model"])
    annotation.add_records(started.round_id, _record(), 1)
    annotation.set_round_state(started.round_id, "closed")
    wait_until(lambda: _is_closed(datasets, started.round_id), 120, "the round's arrival in scoring")
    _fill(platform, started.round_id)
    began = time.monotonic()
    asked = datasets.release(started.round_id, licence="CC-BY-4.0", accept_unresolved=True)
    while not (now := datasets.release_state(asked.release_id)).is_finished:
        if time.monotonic() > began + PATIENCE_SECONDS:
            raise TimeoutError(f"the release is {now.step} after {PATIENCE_SECONDS} s")
        time.sleep(0.2)
    took = time.monotonic() - began
    if now.state != "done":
        raise RuntimeError(f"the release failed: {now.error}")
    console.print(f"release: {EXAMPLES} examples with {EXAMPLES * VOTES} votes in {took:.1f} s")
    yield plain(f"release of {EXAMPLES:,} examples", took, "s")


def _is_closed(datasets: DatasetsClient, round_id: str) -> bool:
    """Return whether scoring knows that the round is closed."""
    try:
        return datasets.preview_release(round_id).state == "closed"
    except ProblemError:  # it has not read of the round
        return False


def _record() -> bytes:
    record = {
        "id": "only",
        "context": {},
        "input": {"sentence": "Dinner was late."},
        "targets": {"model": LABELS[0]},
    }
    return json.dumps(record).encode() + b"\n"


def _fill(platform: OwnPlatform, round_id: str) -> None:
    url = postgres.service_url(platform.stack.layout, platform.stack.secrets, "scoring")
    connection = psycopg2.connect(url.replace("postgresql+psycopg2", "postgresql"))
    try:
        with connection, connection.cursor() as cursor:
            cursor.execute("SET LOCAL statement_timeout = 0")
            cursor.execute("SELECT task_id FROM round WHERE round_id = %s", (round_id,))
            ((task_id,),) = cursor.fetchall()
            examples, votes = _facts(str(task_id), round_id)
            cursor.copy_expert(f"COPY example ({EXAMPLE_COLUMNS}) FROM STDIN", examples)
            cursor.copy_expert(f"COPY vote ({VOTE_COLUMNS}) FROM STDIN", votes)
    finally:
        connection.close()


def _facts(task_id: str, round_id: str) -> tuple[io.StringIO, io.StringIO]:
    """Return rows of undisputed examples and of their votes."""
    generator = random.Random(8)
    people = [_new_id(generator) for _ in range(PEOPLE)]
    now = datetime.now(UTC).isoformat()
    examples, votes = io.StringIO(), io.StringIO()
    for _ in range(EXAMPLES):
        example_id, label, answer = _new_id(generator), generator.choice(LABELS), generator.choice(LABELS)
        text = json.dumps({"sentence": " ".join(generator.choices(WORDS, k=20))})
        given = json.dumps([{"target": "model", "value": answer, "wrong": answer != label, "missing": False}])
        verdict = "fooled" if answer != label else "not_fooled"
        _write(
            examples, example_id, 1, task_id, round_id, generator.choice(people), 1, "{}", text, label, given,
            verdict, "imported", "", "[]", now, 9, "correct", json.dumps([label]), "false", now,
        )  # fmt: skip
        for version in range(2, 2 + VOTES):
            _write(
                votes, _new_id(generator), version, example_id, generator.choice(people), "label", label, "",
                "true", "{}", now,
            )  # fmt: skip
    examples.seek(0)
    votes.seek(0)
    return examples, votes


def _write(lines: io.StringIO, *columns: object) -> None:
    lines.write("\t".join(map(str, columns)) + "\n")


def _new_id(generator: random.Random) -> UUID:
    return UUID(int=generator.getrandbits(128), version=4)
