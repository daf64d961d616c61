"""Let twelve people play a round of each shipped task on a running platform, through its public API alone.

They write the lines of `demo/`, explain and retract some, and vote on each other's. Real models answer; the people
differ in skill and mistakes: at least 15 % of the votes are wrong, 5 % are flags, and some examples end disputed.
With `--release` the rounds are then released, models are scored on them, and the next rounds open.
"""

import argparse
import os
import sys
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from demo_lines import TASKS, Deck, Line, lines, texts
from demo_people import Outcome, Person, Stage, Tick, sign_up, vote, write
from demo_release import (
    Say,
    begin,
    open_round,
    proposed_targets,
    release,
    scores,
    wait,
    wait_for_scores,
)
from dynabench_client import Dynabench, profiles
from dynabench_client.results.annotation import Round
from dynabench_client.results.datasets import Dataset
from dynabench_client.results.leaderboard import Rate, RoundFigures
from dynabench_client.results.validation import ValidationCounts
from dynabench_local.layout import checkout
from rich.console import Console
from rich.progress import Progress, TaskID
from rich.table import Table

THREADS = 6
TEST = 0.35
"""The share of a released round's examples that models are scored on."""


def play(
    url: str,
    owner: Dynabench,
    seed: int,
    console: Console,
    task: str = "sentiment",
    people: Sequence[Person] | None = None,
    todo: Sequence[Line] | None = None,
) -> Outcome:
    """Play on the task's newest open round and wait until the board counts everything.

    `todo` are the lines to write; those of the task's file unless given.
    """
    stage = stage_of(owner, task, console.print)
    outcome = Outcome(task, stage.round_id)
    people = people or sign_up(url, seed)
    todo = todo or lines(task)
    deck, truth = Deck(todo, len(people), seed), texts(todo)
    with Progress(console=console) as progress:
        bar = progress.add_task(f"{task}: writing", total=len(todo))
        together(people, lambda person, tick: write(person, stage, deck, outcome, tick), progress, bar)
        progress.update(bar, completed=len(todo))
    settle(owner, outcome.round_id)
    with Progress(console=console) as progress:
        bar = progress.add_task(f"{task}: voting", total=None)
        for _ in range(3):
            together(people, lambda person, tick: vote(person, stage, truth, outcome, tick), progress, bar)
        progress.update(bar, total=outcome.votes)
    settle(owner, outcome.round_id)
    return outcome


def stage_of(owner: Dynabench, task: str, say: Say) -> Stage:
    """Return the task's newest open round, opened if none is, with the configuration."""
    newest = owner.annotation.round(open_round(owner, task, checkout(), say).round_id)
    return Stage(newest.round_id, newest.number, newest.contexts, owner.annotation.task(task).configuration)


def together(
    people: Sequence[Person], work: Callable[[Person, Tick], None], progress: Progress, bar: TaskID
) -> None:
    """Run the same function for all people at once."""
    with ThreadPoolExecutor(THREADS) as pool:
        jobs = [pool.submit(work, person, lambda: progress.advance(bar)) for person in people]
        for job in jobs:
            job.result()


def settle(owner: Dynabench, round_id: str, seconds: float = 60) -> tuple[RoundFigures, ValidationCounts]:
    """Wait until annotation, validation and leaderboard agree, and return the answers of the last two."""
    deadline = time.monotonic() + seconds
    while True:
        tries = owner.annotation.counts(round_id)
        votes = owner.validation.counts(round_id)
        board = owner.leaderboard.round(round_id)
        if (board.tries, board.fooled, board.retracted) == (tries.tries, tries.fooled, tries.retracted) and (
            board.votes,
            board.resolved,
        ) == (votes.votes, votes.resolved):
            return board, votes
        if time.monotonic() > deadline:
            raise SystemExit(f"The services do not agree after {seconds:.0f} s: {tries} {votes} {board}")
        time.sleep(0.2)


def percent(rate: Rate) -> str:
    """Return a rate with its interval, or the reason that it has none."""
    if rate.value is None:
        return f"– ({rate.reason})"
    interval = (
        "" if rate.low is None or rate.high is None else f" ({100 * rate.low:.1f}-{100 * rate.high:.1f})"
    )
    return f"{100 * rate.value:.1f} %{interval}"


def report(owner: Dynabench, outcome: Outcome, console: Console) -> None:
    """Print the round's table, its targets, and the results of each kind of line."""
    board, votes = settle(owner, outcome.round_id)
    table = Table("round", "", title=f"{outcome.task}: round {board.round_id}", title_justify="left")
    rows: list[tuple[str, object]] = [
        ("tries", board.tries),
        ("fooled", board.fooled),
        ("retracted", board.retracted),
        ("votes", board.votes),
        ("resolved", board.resolved),
        ("correct / incorrect", f"{votes.correct} / {votes.incorrect}"),
        ("flagged / disputed", f"{votes.flagged} / {votes.disputed}"),
        ("pending", board.pending),
        ("validated errors", board.validated_errors),
        ("MER", percent(board.mer)),
        ("vMER", percent(board.vmer)),
        ("vMER (projected)", percent(board.vmer_projected)),
        ("validity", percent(board.validity)),
    ]
    for name, value in rows:
        table.add_row(name, str(value))
    console.print(table)
    targets = Table("target", "answered", "fooled", "validated errors", title="targets", title_justify="left")
    for target in board.targets:
        targets.add_row(
            target.target,
            str(target.tries),
            f"{target.fooled} ({percent(target.mer)})",
            str(target.validated_errors),
        )
    console.print(targets)
    kinds = Table("kind", "tries", "fooled", title="this run", title_justify="left")
    for kind in sorted({line.kind for line, _ in outcome.examples}):
        tried = [example for line, example in outcome.examples if line.kind == kind]
        fooled = sum(example.fooled for example in tried)
        share = f"{fooled} ({100 * fooled / len(tried):.0f} %)"
        kinds.add_row(kind.replace("_", " "), str(len(tried)), share)
    console.print(kinds)
    console.print(
        f"votes of this run: {outcome.votes}, wrong {100 * outcome.wrong_votes / max(1, outcome.votes):.0f} %, "
        f"flags {100 * outcome.flags / max(1, outcome.votes):.0f} %"
    )


def finish(owner: Dynabench, outcomes: Sequence[Outcome], url: str, console: Console) -> None:
    """Release the rounds, then show each one's scores and open the next round of its task."""

    def say(line: str) -> None:
        console.print(f"[bold]→[/bold] {line}")

    datasets = {}
    for outcome in outcomes:
        datasets[outcome.task] = release(owner, outcome.round_id, test=TEST)
        say(f"{outcome.task}: the round is released as {datasets[outcome.task].name}.")
    for outcome in outcomes:
        dataset = datasets[outcome.task]
        show_scores(owner, outcome, dataset, console, say)
        following = open_next(owner, outcome, say)
        for path in (
            f"rounds/{outcome.round_id}",
            f"datasets/{dataset.dataset_id}",
            f"tasks/{outcome.task}/examples",
            f"tasks/{outcome.task}/board",
            f"tasks/{outcome.task}/rounds/{following.number}/next",
            f"rounds/{following.round_id}",
        ):
            console.print(f"  {url}/{path}", soft_wrap=True)


def show_scores(owner: Dynabench, outcome: Outcome, dataset: Dataset, console: Console, say: Say) -> None:
    """Wait until all models are scored on a released round, and print their scores."""
    task, board = outcome.task, owner.leaderboard
    wait_for_scores(owner, task, owner.annotation.round(outcome.round_id).targets, [dataset], say)
    wait(lambda: not board.target_proposals(task, targets=1).waiting, "the other models to be scored")
    console.print(scores(owner, task, [each.name for each in board.model_board(task).datasets]))


def open_next(owner: Dynabench, outcome: Outcome, say: Say) -> Round:
    """Say which target the board proposes, and open a round against the same ones, so that people can go on."""
    area, task = owner.annotation, outcome.task
    proposed_targets(owner, task, say)
    drafted = area.create_round(task, area.round(outcome.round_id).targets)
    return begin(owner, drafted, checkout(), say)


def main() -> int:
    """Play against the platform of DYNABENCH_URL, as the owner whose profile is in DYNABENCH_HOME."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=1, help="decides who writes what and who errs")
    parser.add_argument(
        "--task", action="append", choices=TASKS, help="only this one; repeat for several; all unless given"
    )
    parser.add_argument(
        "--release", action="store_true", help="release the rounds and open the next ones afterwards"
    )
    options = parser.parse_args()
    profile = profiles.read(Path(os.environ["DYNABENCH_HOME"]) / "profile.json")
    owner = Dynabench(profile.url, token=profile.api_token)
    console = Console()
    tasks: Sequence[str] = options.task or TASKS
    people = sign_up(profile.url, options.seed)
    outcomes = []
    for task in tasks:
        outcomes.append(play(profile.url, owner, options.seed, console, task, people))
        report(owner, outcomes[-1], console)
    if options.release:
        finish(owner, outcomes, profile.url, console)
    return 0


if __name__ == "__main__":
    sys.exit(main())
