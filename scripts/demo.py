"""Let twelve people play a round on a running platform, through its public API alone.

They write the sentences of `demo-sentences.yaml`, explain and retract some, and vote on each other's. Real
models answer; the people's skill differs, and so do their mistakes: at least 15 % of the votes are wrong, 5 %
are flags, and some examples end disputed.
"""

import argparse
import os
import random
import secrets
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml
from dynabench_client import Dynabench, profiles
from dynabench_client.results.annotation import Example
from dynabench_client.results.leaderboard import Rate, RoundFigures
from dynabench_client.results.validation import ValidationCounts
from rich.console import Console
from rich.progress import Progress
from rich.table import Table

TASK = "sentiment"
LABELS = ("negative", "neutral", "positive")
SENTENCES = Path(__file__).with_name("demo-sentences.yaml")
NAMES = ("ana", "bo", "chidi", "dana", "emil", "fatou", "goro", "hilde", "ines", "jun", "kofi", "lena")
RETRACT_EVERY = 40
FLAG_RATE = 0.07


@dataclass(frozen=True)
class Sentence:
    """A sentence, the label that people would give it, and its kind."""

    text: str
    label: str
    kind: str


@dataclass
class Person:
    """One of the twelve: `error_rate` is the share of votes that go wrong."""

    name: str
    client: Dynabench
    error_rate: float
    random: random.Random
    owed_errors: float = 0.5
    owed_flags: float = 0.0


@dataclass
class Outcome:
    """What happened, for the table and for tests."""

    round_id: str
    examples: list[tuple[Sentence, Example]] = field(default_factory=list)
    retracted: int = 0
    votes: int = 0
    wrong_votes: int = 0
    flags: int = 0
    lock: threading.Lock = field(default_factory=threading.Lock)


def sentences() -> list[Sentence]:
    """Return all sentences in the file's order."""
    document: dict[str, dict[str, list[str]]] = yaml.safe_load(SENTENCES.read_text(encoding="utf-8"))
    return [
        Sentence(text, label, kind)
        for kind, by_label in document.items()
        for label, texts in by_label.items()
        for text in texts
    ]


def sign_up(url: str, run: str, seed: int) -> list[Person]:
    """Register the twelve, each with a skill of their own."""
    people = []
    for number, name in enumerate(NAMES):
        user_name, password = f"{name}-{run}", secrets.token_urlsafe(12)
        Dynabench(url).accounts.sign_up(user_name, f"{user_name}@demo.invalid", password)
        client = Dynabench(url, user_name=user_name, password=password)
        people.append(Person(user_name, client, 0.11 + 0.02 * number, random.Random(f"{seed}-{name}")))
    return people


def write(person: Person, assigned: list[Sentence], outcome: Outcome, tick: Any) -> None:
    """Submit a person's sentences, mostly one a context, sometimes a second on the same."""
    context_id = None
    for number, sentence in enumerate(assigned):
        if number % 3 != 1:
            context_id = person.client.annotation.assign(outcome.round_id, context_id).context.context_id
        example = person.client.annotation.create_example(
            outcome.round_id, str(context_id), {"text": sentence.text, "label": sentence.label}
        )
        if example.fooled and number % 2 == 0:
            person.client.annotation.explain_example(
                example.example_id,
                label=f"A person hears at once that this is {sentence.label}.",
                model=f"The sentence is of the kind “{sentence.kind.replace('_', ' ')}”.",
            )
        with outcome.lock:
            outcome.examples.append((sentence, example))
            retract = len(outcome.examples) % RETRACT_EVERY == 0
            outcome.retracted += retract
        if retract:
            person.client.annotation.retract(example.example_id)
        tick()


def vote(person: Person, truth: dict[str, Sentence], outcome: Outcome, tick: Any) -> None:
    """Vote until nothing is left that this person may vote on."""
    while True:
        lease = person.client.validation.lease(outcome.round_id)
        if lease.lease_id is None or lease.example is None:
            return
        sentence = truth.get(str(lease.example.input.get("text")))
        person.owed_flags += FLAG_RATE
        if person.owed_flags >= 1 or sentence is None:
            person.owed_flags -= 1
            person.client.validation.vote(lease.lease_id, "flag", reason="I can't tell what is meant here.")
            counted = (1, 0, 1)
        else:
            label = choice(person, sentence)
            reply = person.client.validation.vote(lease.lease_id, "label", label=label)
            if reply.vote_id and person.random.random() < 0.5:
                person.client.validation.judge(reply.vote_id, label == sentence.label)
            counted = (1, int(label != sentence.label), 0)
        with outcome.lock:
            outcome.votes += counted[0]
            outcome.wrong_votes += counted[1]
            outcome.flags += counted[2]
        tick()


def choice(person: Person, sentence: Sentence) -> str:
    """Return the label that this person gives: people differ most about what is finely balanced."""
    if sentence.kind == "contrastive" and sentence.label == "neutral":
        return person.random.choice(LABELS)
    person.owed_errors += person.error_rate
    if person.owed_errors < 1:
        return sentence.label
    person.owed_errors -= 1
    return person.random.choice([label for label in LABELS if label != sentence.label])


def play(url: str, owner: Dynabench, seed: int, console: Console) -> Outcome:
    """Play on the task's newest open round and wait until the board has heard of everything."""
    rounds = [found for found in owner.annotation.rounds(TASK, limit=200).items if found.is_open]
    if not rounds:
        raise SystemExit(f"No round of {TASK} is open: open one with 'dynabench rounds open'.")
    outcome = Outcome(max(rounds, key=lambda found: found.number).round_id)
    people = sign_up(url, secrets.token_hex(3), seed)
    todo = sentences()
    random.Random(seed).shuffle(todo)
    shares = [todo[number :: len(people)] for number in range(len(people))]
    with Progress(console=console) as progress:
        bar = progress.add_task("writing sentences", total=len(todo))
        with ThreadPoolExecutor(6) as pool:
            jobs = [
                pool.submit(write, person, share, outcome, lambda: progress.advance(bar))
                for person, share in zip(people, shares, strict=True)
            ]
            for job in jobs:
                job.result()
    settle(owner, outcome.round_id)
    truth = {sentence.text: sentence for sentence in todo}
    with Progress(console=console) as progress:
        bar = progress.add_task("voting", total=None)
        for _ in range(3):
            with ThreadPoolExecutor(6) as pool:
                jobs = [pool.submit(vote, p, truth, outcome, lambda: progress.advance(bar)) for p in people]
                for job in jobs:
                    job.result()
        progress.update(bar, total=outcome.votes)
    settle(owner, outcome.round_id)
    return outcome


def settle(owner: Dynabench, round_id: str, seconds: float = 60) -> tuple[RoundFigures, ValidationCounts]:
    """Wait until annotation, validation and leaderboard agree, and return what the last two say."""
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
    """Print the round's table and what each kind of sentence did to the model."""
    board, votes = settle(owner, outcome.round_id)
    table = Table("round", "", title=f"{TASK}: round {board.round_id}", title_justify="left")
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
    kinds = Table("kind of sentence", "tries", "fooled", title="this run", title_justify="left")
    for kind in dict.fromkeys(sentence.kind for sentence in sentences()):
        tried = [example for sentence, example in outcome.examples if sentence.kind == kind]
        fooled = sum(example.fooled for example in tried)
        kinds.add_row(
            kind.replace("_", " "), str(len(tried)), f"{fooled} ({100 * fooled / len(tried):.0f} %)"
        )
    console.print(kinds)
    console.print(
        f"votes of this run: {outcome.votes}, wrong {100 * outcome.wrong_votes / max(1, outcome.votes):.0f} %, "
        f"flags {100 * outcome.flags / max(1, outcome.votes):.0f} %"
    )


def main() -> int:
    """Play against the platform of DYNABENCH_URL, as the owner whose profile is in DYNABENCH_HOME."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=1, help="decides who writes what and who errs")
    options = parser.parse_args()
    profile = profiles.read(Path(os.environ["DYNABENCH_HOME"]) / "profile.json")
    owner = Dynabench(profile.url, token=profile.api_token)
    console = Console()
    outcome = play(profile.url, owner, options.seed, console)
    report(owner, outcome, console)
    return 0


if __name__ == "__main__":
    sys.exit(main())
