"""A round becomes a dataset that others can load, and neither it nor an export identifies authors or voters."""

import gzip
import hashlib
import io
import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any
from uuid import UUID

import mlcroissant
import pyarrow.parquet as pq
import pytest
from dynabench_client import Dynabench, ProblemError
from dynabench_client.results.datasets import Release
from dynabench_common.testing import wait_until
from sqlalchemy import create_engine, text

from tests.scenarios import FLAG, PRAISE, OwnTask, answer, heard_of, lease, record, vote, write

pytestmark = pytest.mark.long

DISHES = ("soup", "bread", "salad", "pie", "stew", "cake", "rice", "fish", "curry", "tart", "roast", "jam")
SIZES = {"train": 5, "dev": 2, "test": 2}
WORKERS = ("A2WRITERWORKER", "A3VOTERWORKER", "A4VOTERWORKER")


def refused(call: Callable[[], object]) -> ProblemError:
    with pytest.raises(ProblemError) as caught:
        call()
    assert caught.value.remedy
    return caught.value


def exported(client: Dynabench, round_id: str, written_as: str = "jsonl") -> bytes:
    return b"".join(client.datasets.export_round(round_id, written_as))


def resolved(owner: Dynabench, round_id: str) -> int:
    """Return scoring's number of resolved examples: none while it does not know the round."""
    preview = heard_of(lambda: owner.datasets.preview_release(round_id))
    return preview.resolved if preview else 0


def blockers(owner: Dynabench, round_id: str, dev: float | None = None) -> set[str]:
    return {each.kind for each in owner.datasets.preview_release(round_id, dev=dev).blockers}


def load_parquet(files: Mapping[str, Path], cache: Path) -> Any:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HF_HUB_OFFLINE", "1")
        patch.setenv("HF_DATASETS_OFFLINE", "1")
        import datasets

        named = {split: str(path) for split, path in files.items()}
        return datasets.load_dataset("parquet", data_files=named, cache_dir=str(cache))


def strings(value: Any) -> Iterator[str]:
    """Yield every text in a value, also nested ones."""
    if isinstance(value, Mapping):
        value = [*value.keys(), *value.values()]
    if isinstance(value, list | tuple):
        for each in value:
            yield from strings(each)
    elif value is not None:
        yield str(value)


def readable(content: bytes) -> str:
    """Return all readable content of a file."""
    if content.startswith(b"\x1f\x8b"):
        content = gzip.decompress(content)
    if content.startswith(b"PAR1"):
        file = pq.ParquetFile(io.BytesIO(content))
        texts = [*strings(file.read().to_pylist()), *map(str, (file.schema, file.metadata.metadata))]
        return "\n".join(texts)
    return content.decode()


def names_in(content: bytes, names: Iterable[str]) -> set[str]:
    """Return the names that a file contains, as separate words; long ones also inside others and compressed."""
    text, packed = readable(content).lower(), content.lower()
    return {
        name
        for name in map(str.lower, names)
        if re.search(rf"(?<![\w-]){re.escape(name)}(?![\w-])", text)
        or (len(name) > 8 and (name in text or name.encode() in packed))
    }


@pytest.fixture
def names(platform: Any) -> Callable[[], set[str]]:
    """Returns every e-mail address, user name and person id that accounts knows; some people have no address."""

    def read() -> set[str]:
        engine = create_engine(platform.environment("accounts")["DATABASE_URL"])
        with engine.connect() as connection:
            people = connection.execute(text("SELECT person_id, user_name, email FROM person")).all()
        engine.dispose()
        ids = [UUID(str(person_id)) for person_id, _, _ in people]
        known = {name for _, *both in people for name in both if name}
        return known | {str(each) for each in ids} | {each.hex for each in ids}

    return read


@pytest.fixture(scope="module")
def task(new_task: Callable[[], OwnTask]) -> OwnTask:
    return new_task()


@dataclass(frozen=True)
class Collected:
    """A round of a dozen authors with a try each: its examples by what they claim to be."""

    round_id: str
    authors: Sequence[Dynabench]
    claims: Mapping[str, str]

    @property
    def talkative(self) -> Dynabench:
        """Return an author who names herself, in an explanation of an example of the dataset."""
        return self.authors[4]


def test_a_round_is_closed_validated_and_released(
    platform: Any,
    task: OwnTask,
    new_annotator: Callable[[], Dynabench],
    names: Callable[[], set[str]],
    tmp_path: Path,
) -> None:
    owner, collected = task.owner.client, collect(task, new_annotator)
    disputed = close_with_a_lease_out(owner, collected, new_annotator)
    released = release(owner, collected.round_id)
    assert released.dataset_id
    repeated = owner.datasets.dataset(released.dataset_id).counts["stability"]
    assert repeated.pop("stable") > 0
    assert repeated == {"not_stable": 0, "not_tried": 0}
    check_that_it_is_over(task, collected.round_id, disputed, new_annotator())
    me = collected.talkative.accounts.me().user_name
    own_work = b"".join(collected.talkative.datasets.export_own())
    assert names_in(own_work, names()) == {me, f"{me}@demo.invalid"}
    check_files(Dynabench(platform.url), released.dataset_id, tmp_path, names())


def collect(task: OwnTask, new_annotator: Callable[[], Dynabench]) -> Collected:
    round_id, claims, authors = task.open_round(), dict[str, str](), [new_annotator() for _ in DISHES]
    for number, (author, dish) in enumerate(zip(authors, DISHES, strict=True)):
        claimed = "positive" if number % 2 else "negative"
        claims[write(author, round_id, PRAISE.format(dish), claimed).example_id] = claimed
    collected = Collected(round_id, authors, claims)
    me = collected.talkative.accounts.me().user_name
    (mine,) = collected.talkative.annotation.examples(round_id).items
    collected.talkative.annotation.explain_example(mine.example_id, label=f"Ask {me}@demo.invalid, or {me}.")
    return collected


def close_with_a_lease_out(
    owner: Dynabench, collected: Collected, new_annotator: Callable[[], Dynabench]
) -> str:
    """Let three people vote, the last one after the end of the round; return the disputed example."""
    round_id, claims = collected.round_id, collected.claims
    flagged, disputed, wrong, *_ = claims
    first, second, third = (new_annotator() for _ in range(3))
    votes = {**claims, flagged: FLAG, wrong: "neutral"}
    vote(first, round_id, votes, len(claims))
    votes[disputed] = "neutral"
    vote(second, round_id, votes, len(claims) - 1)
    held = lease(second, round_id)
    assert held.example is not None

    wait_until(lambda: resolved(owner, round_id) >= len(claims) - 2, what="scoring to hear of the votes")
    assert blockers(owner, round_id) == {"round-not-closed", "unresolved-examples"}
    assert refused(lambda: owner.datasets.release(round_id)).slug == "round-not-closed"
    owner.annotation.set_round_state(round_id, "closed", "Enough.")
    assert owner.validation.counts(round_id).leases_out == 1
    wait_until(
        lambda: blockers(owner, round_id) == {"unresolved-examples"}, what="scoring to hear of the end"
    )
    assert refused(lambda: owner.datasets.release(round_id)).slug == "unresolved-examples"
    assert answer(second, held, votes[held.example.example_id]).counted
    vote(third, round_id, {disputed: "negative"})
    return disputed


def release(owner: Dynabench, round_id: str) -> Release:
    wait_until(lambda: resolved(owner, round_id) == len(DISHES), what="scoring to hear of the last votes")
    preview = owner.datasets.preview_release(round_id, dev=2, test=2)
    assert preview.allowed, preview
    left_out = preview.excluded
    assert (left_out.flagged, left_out.disputed, left_out.no_gold, preview.unresolved) == (1, 1, 1, 0)
    assert blockers(owner, round_id, dev=100) == {"split-unfillable"}
    unfillable = refused(lambda: owner.datasets.release(round_id, dev=100))
    assert (unfillable.slug, unfillable.document["available"]) == ("split-unfillable", 9)
    asked = owner.datasets.release(round_id, dev=2, test=2, seed=3)

    def finished() -> Release | None:
        found = owner.datasets.release_state(asked.release_id)
        return found if found.is_finished else None

    done: Release = wait_until(finished, what="the release to be finished")
    assert (done.state, done.error) == ("done", None)
    return done


def check_that_it_is_over(task: OwnTask, round_id: str, disputed: str, late: Dynabench) -> None:
    """Nobody votes, decides, writes or releases any more, and the audit log names the person who released."""
    owner = task.owner.client
    wait_until(lambda: owner.annotation.round(round_id).state == "released", what="annotation to hear")
    wait_until(lambda: late.validation.lease(round_id).state == "round_takes_no_votes", what="no more votes")
    reopened = refused(lambda: owner.annotation.set_round_state(round_id, "open"))
    assert reopened.slug == "round-transition-refused"
    assert refused(lambda: owner.datasets.release(round_id)).slug == "round-released"
    decided = refused(lambda: owner.validation.adjudicate(disputed, "label", "Mine.", value="negative"))
    assert decided.slug == "round-released"

    def enders() -> list[str | None]:
        log = owner.accounts.audit(task=task.slug, round_id=round_id).items
        return [entry.actor_name for entry in log if entry.action == "round.released"]

    assert wait_until(enders, what="the audit log to hear") == [task.owner.user_name]


def check_files(anybody: Dynabench, dataset_id: str, folder: Path, names: set[str]) -> None:
    """Read a dataset as an outsider: check its checksums, load it with two libraries, and search it for people."""
    found = anybody.datasets.dataset(dataset_id)
    contents = {file.path: b"".join(anybody.datasets.file(dataset_id, file.path)) for file in found.files}
    for file in found.files:
        content = contents[file.path]
        measured = (len(content), hashlib.sha256(content).hexdigest())
        assert measured == (file.size, file.sha256), file.path
        (folder / file.path).parent.mkdir(parents=True, exist_ok=True)
        (folder / file.path).write_bytes(content)
    assert found.digest == f"sha256:{hashlib.sha256(contents['manifest.json']).hexdigest()}"
    assert {path: names_in(content, names) for path, content in contents.items()} == {
        path: set() for path in contents
    }
    assert names_in(anybody.datasets.card(dataset_id).encode(), names) == set()

    rows = {
        split: [json.loads(line) for line in readable(contents[f"data/{split}.jsonl.gz"]).splitlines()]
        for split in SIZES
    }
    assert {split: len(each) for split, each in rows.items()} == SIZES
    authors = [row["author"] for each in rows.values() for row in each]
    assert len(set(authors)) == len(authors) == 9
    parquet = {split: folder / f"data/{split}.parquet" for split in SIZES}
    loaded = load_parquet(parquet, folder / "cache")
    for split, each in rows.items():
        assert loaded[split]["input_text"] == [row["input"]["text"] for row in each]
        assert loaded[split]["label"] == [row["label"] for row in each]
    croissant = mlcroissant.Dataset(str(folder / "croissant.json"))
    assert not croissant.metadata.ctx.issues.errors
    assert len(list(croissant.records("dev"))) == SIZES["dev"]
    assert not mlcroissant.Dataset(anybody.datasets.croissant(dataset_id)).metadata.ctx.issues.errors


def test_owners_export_a_round_in_progress_and_people_their_own_work(
    task: OwnTask, new_annotator: Callable[[], Dynabench]
) -> None:
    owner, round_id = task.owner.client, task.open_round()
    author, voter = new_annotator(), new_annotator()
    made = write(author, round_id, PRAISE.format("tea"), "negative")
    vote(voter, round_id, {made.example_id: "negative"})

    def with_votes() -> list[dict[str, Any]]:
        content = heard_of(lambda: exported(owner, round_id)) or b""
        rows = [json.loads(line) for line in content.splitlines()]
        return [row for row in rows if row["votes"]]

    (row,) = wait_until(with_votes, what="scoring to hear")
    assert (row["id"], row["claimed"], row["resolution"], row["split"]) == (
        made.example_id, "negative", None, None,
    )  # fmt: skip
    parquet = exported(owner, round_id, "parquet")
    assert pq.read_table(io.BytesIO(parquet)).to_pylist()[0]["input_text"] == PRAISE.format("tea")
    for other in (author, voter, new_annotator()):
        problem = refused(partial(exported, other, round_id))
        assert (problem.status, problem.slug) == (403, "not-allowed")
    exports = [b"".join(person.datasets.export_own()) for person in (author, voter)]
    own = [json.loads(line) for content in exports for line in content.splitlines()]
    assert [(line["kind"], line["example_id"]) for line in own] == [
        ("example", made.example_id), ("vote", made.example_id),
    ]  # fmt: skip


def test_no_export_identifies_people(
    owner: Dynabench, played: Any, task: OwnTask, names: Callable[[], set[str]]
) -> None:
    writer, *voters = WORKERS
    votes = [{"label": "negative", "voter": voter} for voter in voters]
    imported = task.bring_in(record(number, author=writer, votes=votes) for number in range(3))
    wait_until(lambda: resolved(task.owner.client, imported) == 3, what="scoring to hear")
    counts = owner.annotation.counts(played.round_id)
    wait_until(
        lambda: len(exported(owner, played.round_id).splitlines()) == counts.tries,
        what="scoring to hear of the demo",
    )
    example_id = json.loads(exported(task.owner.client, imported).splitlines()[0])["id"]
    cast = task.owner.client.validation.votes(example_id).items
    hidden = {*names(), *WORKERS, *(str(each.voter_id) for each in cast)}
    assert len(hidden) > len(names()) + len(WORKERS)
    for client, round_id in ((task.owner.client, imported), (owner, played.round_id)):
        lines, parquet = exported(client, round_id), exported(client, round_id, "parquet")
        assert pq.ParquetFile(io.BytesIO(parquet)).metadata.num_rows == len(lines.splitlines())
        assert (names_in(lines, hidden), names_in(parquet, hidden)) == (set(), set())
