"""The steps of the demos after a round was played: release it, wait for scores, open the next round."""

import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TypeVar

from dynabench_client import Dynabench
from dynabench_client.results.annotation import Round
from dynabench_client.results.datasets import Dataset, Release
from rich.table import Table

DEMONSTRATION = "Demonstration by a script"
"""The title of the round that the first start makes."""
WAIT_SECONDS = 600.0
LOOK_SECONDS = 1.0
Say = Callable[[str], None]
T = TypeVar("T")


def wait(look: Callable[[], T | None], what: str) -> T:
    """Poll `look` until it returns a result; give up after ten minutes."""
    deadline = time.monotonic() + WAIT_SECONDS
    while not (found := look()):
        if time.monotonic() > deadline:
            raise SystemExit(f"Waited {WAIT_SECONDS:.0f} s in vain for {what}.")
        time.sleep(LOOK_SECONDS)
    return found


def release(
    owner: Dynabench,
    round_id: str,
    *,
    dev: float = 0,
    test: float = 0,
    seed: int = 0,
    description: str | None = None,
    licence: str | None = None,
) -> Dataset:
    """Close a round and release it; return its dataset. Examples that still wait for votes go to train."""
    owner.annotation.set_round_state(round_id, "closed")
    area = owner.datasets
    preview = partial(area.preview_release, round_id, dev=dev, test=test, accept_unresolved=True)
    wait(lambda: preview().allowed, "scoring to hear that the round is closed")
    started = area.release(
        round_id,
        dev=dev,
        test=test,
        seed=seed,
        accept_unresolved=True,
        description=description,
        licence=licence,
    )
    ended = wait(lambda: _ended(owner, started.release_id), "the release")
    if ended.dataset_id is None:
        raise SystemExit(f"The round {round_id} was not released: {ended.error}")
    return area.dataset(ended.dataset_id)


def _ended(owner: Dynabench, release_id: str) -> Release | None:
    found = owner.datasets.release_state(release_id)
    return found if found.is_finished else None


def ready(owner: Dynabench) -> set[str]:
    """Return the models that answer."""
    return {model.name for model in owner.gateway.model_statuses() if model.ready}


def begin(owner: Dynabench, found: Round, checkout: Path, say: Say) -> Round:
    """Give a drafted round the shipped contexts of its task and open it, as soon as its targets answer."""
    area, task = owner.annotation, found.task_slug
    if found.state == "draft":
        contexts = checkout / "services" / "annotation" / "tasks" / f"{task}-contexts.jsonl"
        if not area.contexts(found.round_id, limit=1).items:
            area.upload_contexts(found.round_id, contexts.read_bytes())
        wait(lambda: set(found.targets) <= ready(owner), f"{', '.join(found.targets)} to answer")
    if found.state != "open":
        found = area.set_round_state(found.round_id, "open")
    say(f"{task}: round {found.number} is open against {', '.join(found.targets)}.")
    return found


def open_round(owner: Dynabench, task: str, checkout: Path, say: Say) -> Round:
    """Return the task's newest open round. If none is open, the newest is opened, or one after it if it is over."""
    listed = owner.annotation.rounds(task, limit=200).items
    rounds = sorted((each for each in listed if each.title != DEMONSTRATION), key=lambda each: each.number)
    newest = next((each for each in reversed(rounds) if each.is_open), rounds[-1])
    if newest.is_open:
        return newest
    if newest.state in ("closed", "released"):
        newest = owner.annotation.create_round(task, newest.targets)
    return begin(owner, newest, checkout, say)


def wait_for_scores(
    owner: Dynabench, task: str, models: Sequence[str], datasets: Sequence[Dataset], say: Say
) -> None:
    """Wait until models are scored on datasets."""
    names = {each.name for each in datasets}

    def scored() -> bool:
        board = owner.leaderboard.model_board(task)
        done = {
            row.model
            for row in board.rows
            if all(name in row.datasets and row.datasets[name].state == "done" for name in names)
        }
        return names <= {each.name for each in board.datasets} and set(models) <= done

    began = time.monotonic()
    wait(scored, f"{', '.join(models)} to be scored")
    say(f"{', '.join(models)}: scored on {', '.join(sorted(names))} after {time.monotonic() - began:.0f} s.")


def proposed_targets(owner: Dynabench, task: str, say: Say) -> list[str]:
    """Return the targets that the board proposes for the next round; say why others, or all, are passed over."""
    proposals = owner.leaderboard.target_proposals(task, targets=1)
    for proposed in proposals.proposed:
        say(
            f"{task}: {proposed.model} is proposed as the next model to fool: rank {proposed.rank}, "
            f"score {proposed.score:.1f}."
        )
    for passed in proposals.passed_over:
        say(f"{task}: {passed.model} is not proposed: {passed.reason}.")
    if not proposals.proposed:
        say(f"{task}: the board proposes no model to fool: {proposals.problem or 'no model is ranked'}.")
    return [each.model for each in proposals.proposed]


def scores(owner: Dynabench, task: str, datasets: Sequence[str]) -> Table:
    """Return a table of what each model scores on each of these datasets."""
    board = owner.leaderboard.model_board(task)
    primary = board.dimensions[0].metric
    table = Table("model", "rank", *datasets, title=f"{task}: {primary}", title_justify="left")
    for row in board.rows:
        found = (row.datasets.get(each) for each in datasets)
        cells = (one.metrics[primary] if one and primary in one.metrics else None for one in found)
        table.add_row(
            row.model,
            str(row.rank or "–"),
            *("–" if one is None else f"{one.value:.1f} (n {one.n})" for one in cells),
        )
    return table
