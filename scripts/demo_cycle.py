"""Close the loop on a running platform: examples of a round train a target of the next round.

For each cycle: twelve people play the open sentiment round, it is closed and released, a baseline goes on training with
the release and with plain sentences made by this repository, a submitter sends and publishes it, the platform scores it
on every dataset, the best of the board becomes the target of the next round, which opens. At the end that round is
played and released as well, so that the board holds all models on all rounds. Everything uses the public API, and the
model passes the usual checks.
"""

import argparse
import os
import secrets
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import demo
import demo_lines
import demo_sentences
from demo_people import Person, sign_up
from demo_release import (
    begin,
    open_round,
    proposed_targets,
    release,
    scores,
    wait,
    wait_for_scores,
)
from dynabench_cli.card_files import front_matter, listed
from dynabench_client import Dynabench, profiles
from dynabench_client.archive_upload import ArchiveFile, ArchiveUpload
from dynabench_client.results.annotation import Round
from dynabench_client.results.datasets import Dataset
from dynabench_client.results.models import WholeSubmission
from dynabench_local.layout import Layout, from_environment
from rich.console import Console
from rich.table import Table

TASK = "sentiment"
BASE = "sentiment-minilm"
ADDED = "made-sentences"
QUIET = {"HF_HUB_OFFLINE": "1", "TRANSFORMERS_VERBOSITY": "error", "PYTHONWARNINGS": "ignore"}
DEV, TEST = 0.1, 0.35


@dataclass(frozen=True)
class Cycle:
    """People and objects of the cycles."""

    url: str
    owner: Dynabench
    submitter: Dynabench
    people: Sequence[Person]
    seed: int
    layout: Layout
    folder: Path
    console: Console

    def say(self, line: str) -> None:
        """Print a progress line."""
        self.console.print(f"[bold]→[/bold] {line}")


def collect(cycle: Cycle, found: Round) -> Dataset:
    """Let people play a round, close and release it, and return its dataset."""
    todo = demo_lines.lines(TASK) if found.number == 1 else demo_sentences.lines(found.number, cycle.seed)
    outcome = demo.play(cycle.url, cycle.owner, cycle.seed, cycle.console, TASK, cycle.people, todo)
    demo.report(cycle.owner, outcome, cycle.console)
    dataset = release(cycle.owner, found.round_id, dev=DEV, test=TEST, seed=cycle.seed)
    parts = dataset.splits
    cycle.say(
        f"Round {found.number} is released as {dataset.name}: {parts.train.examples} to train on, "
        f"{parts.dev.examples} held out, {parts.test.examples} to be scored on."
    )
    return dataset


def released(cycle: Cycle) -> list[Dataset]:
    """Return the task's released datasets that hold examples out for training, the oldest first."""
    area = cycle.owner.datasets
    found = (area.dataset(each.dataset_id) for each in area.datasets(TASK, limit=200).items)
    return sorted(
        (each for each in found if each.splits.dev.examples), key=lambda each: (len(each.name), each.name)
    )


def train(cycle: Cycle, base: str, name: str, datasets: Sequence[Dataset]) -> Path:
    """Go on training `base` with all releases in the serving environment; return the output folder."""
    out = cycle.folder / name
    files = {split: [fetch(cycle, each, split) for each in datasets] for split in ("train", "dev")}
    command = [str(cycle.layout.serving_python), "-m", "model_archives", "retrain", base]
    command += [str(file) for file in files["train"]]
    command += [part for file in files["dev"] for part in ("--held-out", str(file))]
    command += [
        part for each in datasets for part in ("--trained-on", f"{each.name}, version {each.version}: train")
    ]
    command += ["--also", ADDED, "--name", name, "--out", str(out), "--contact", "the demo of this platform"]
    source = str(cycle.layout.checkout / "model-archives" / "src")
    subprocess.run(command, env={**os.environ, **QUIET, "PYTHONPATH": source}, check=True)
    return out


def fetch(cycle: Cycle, dataset: Dataset, split: str) -> Path:
    """Download the examples of a split."""
    path = cycle.folder / f"{dataset.name}-{split}.jsonl.gz"
    with path.open("wb") as file:
        file.writelines(cycle.owner.datasets.file(dataset.dataset_id, f"data/{split}.jsonl.gz"))
    return path


def submit(cycle: Cycle, folder: Path) -> str:
    """Send the archive, wait for its checks, publish it with its card; return its serving name."""
    area, path = cycle.submitter.registry, folder / f"{folder.name}.mar"
    archive = ArchiveFile.read(path, lambda _: None)
    sent = area.submit(TASK, folder.name, path.name, archive.size, digest=archive.digest).submission
    ArchiveUpload(area, archive).send(sent, lambda _: None)
    checked = wait(lambda: still(area.submission(sent.submission_id)), "the checks to end")
    if checked.failed_step is not None or checked.serving_name is None:
        raise SystemExit(f"{folder.name} was not deployed: {checked.failed_step}")
    fields, text = front_matter(folder / "card.md")
    area.write_card(
        sent.submission_id,
        text=text,
        licence=str(fields["licence"]),
        contact=str(fields["contact"]),
        languages=listed(fields, "languages"),
        trained_on=listed(fields, "trained_on"),
    )
    area.publish_model(sent.submission_id)
    cycle.say(f"{checked.serving_name} passed all checks and is published.")
    return checked.serving_name


def still(submission: WholeSubmission) -> WholeSubmission | None:
    """Return a submission whose checks have ended."""
    return None if submission.is_moving else submission


def promote(cycle: Cycle) -> Round:
    """Draft the next round against the board's proposed targets, and open it."""
    names = proposed_targets(cycle.owner, TASK, cycle.say)
    if not names:
        raise SystemExit("There is no model to fool in the next round.")
    drafted = cycle.owner.annotation.create_round(TASK, names, "After retraining")
    return begin(cycle.owner, drafted, cycle.layout.checkout, cycle.say)


def report(cycle: Cycle, rounds: Sequence[Round], datasets: Sequence[Dataset]) -> None:
    """Print vMER by round, and what each model scores on each."""
    table = Table("round", "targets", "tries", "MER", "vMER", title="What people found", title_justify="left")
    for each in rounds:
        figures = cycle.owner.leaderboard.round(each.round_id)
        table.add_row(
            str(each.number),
            ", ".join(each.targets),
            str(figures.tries),
            demo.percent(figures.mer),
            demo.percent(figures.vmer),
        )
    cycle.console.print(table)
    cycle.console.print(scores(cycle.owner, TASK, [each.name for each in datasets]))
    cycle.console.print(f"Board: {cycle.url}/tasks/{TASK}/board")


def run(cycle: Cycle, cycles: int) -> None:
    """Play the cycles and the round that the last one opened."""
    current = open_round(cycle.owner, TASK, cycle.layout.checkout, cycle.say)
    base, mark = BASE, secrets.token_hex(2)
    rounds, datasets, models = [current], released(cycle), list(current.targets)
    datasets.append(collect(cycle, current))
    for _ in range(cycles):
        folder = train(cycle, base, f"minilm-after-r{current.number}-{mark}", datasets)
        models.append(submit(cycle, folder))
        wait_for_scores(cycle.owner, TASK, models, datasets, cycle.say)
        current, base = promote(cycle), str(folder)
        rounds.append(current)
        datasets.append(collect(cycle, current))
    wait_for_scores(cycle.owner, TASK, models, datasets, cycle.say)
    report(cycle, rounds, datasets)


def main() -> int:
    """Run against the platform of DYNABENCH_HOME, as its owner and as people who sign up."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("cycles", type=int, help="how often a round trains the next one's target")
    parser.add_argument("--seed", type=int, default=1, help="decides who writes what and who errs")
    options = parser.parse_args()
    if options.cycles < 1:
        parser.error("play at least one cycle")
    profile = profiles.read(Path(os.environ["DYNABENCH_HOME"]) / "profile.json")
    name, password = f"team-{secrets.token_hex(3)}", secrets.token_urlsafe(12)
    Dynabench(profile.url).accounts.sign_up(name, f"{name}@demo.invalid", password)
    with tempfile.TemporaryDirectory(prefix="dynabench-cycle-") as folder:
        cycle = Cycle(
            profile.url,
            Dynabench(profile.url, token=profile.api_token),
            Dynabench(profile.url, user_name=name, password=password),
            sign_up(profile.url, options.seed),
            options.seed,
            from_environment(),
            Path(folder),
            Console(),
        )
        run(cycle, options.cycles)
    return 0


if __name__ == "__main__":
    sys.exit(main())
