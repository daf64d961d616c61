"""Make a small released round, the demonstration, so that the first visitors of a fresh platform find public examples.

`make up` runs this in the background. A few people of the demo write the lines of `demo/demonstration`, the shipped
models answer, the people vote, and the round is closed and released; everything goes through the public interfaces.
Each step looks first at what is there. So a run that was killed goes on at the next start, and nothing is made twice. A
task that somebody uses already is left alone. A demonstration in which a visitor has written stays open.
"""

import argparse
import fcntl
import os
import random
import secrets
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from demo import settle
from demo_lines import FOLDER, Deck, Line, lines, texts
from demo_people import Outcome, Person, Stage, explain, vote, write
from demo_release import DEMONSTRATION, release
from dynabench_client import Dynabench, ProblemError, profiles
from dynabench_client.results.annotation import Example, Round
from dynabench_client.results.base import LARGEST_PAGE, every
from dynabench_local.layout import from_environment
from seed import kept

TASKS = ("nli", "sentiment")
FILES = FOLDER / "demonstration"
PEOPLE = ("Demo Badger", "Demo Crane", "Demo Heron", "Demo Lynx", "Demo Otter", "Demo Swift")
PEOPLE_FILE = "demo-people.json"
LOCK_FILE = "demo-round.lock"
DESCRIPTION = (
    "A demonstration, made by a script when this platform first started. The project's authors wrote the sentences, "
    "and the script cast the votes of its own accounts. The answers are those of the models."
)
LICENCE = "Apache-2.0"
"""The licence of the project, which the sentences are a part of."""
PASSES = 3
"""Times that people go through the contexts for lines that are not written yet."""
SETTLE_SECONDS = 600.0
VOTE_SECONDS = 300.0


def demonstration(owner: Dynabench, task: str) -> Round | None:
    """Return the task's demonstration, drafted if nobody has used the task yet; None if somebody has."""
    rounds = owner.annotation.rounds(task, limit=LARGEST_PAGE).items
    for found in rounds:
        if found.title == DEMONSTRATION:
            return found
    is_new = len(rounds) == 1 and rounds[0].is_open
    if not is_new or owner.annotation.counts(rounds[0].round_id).tries:
        return None
    return owner.annotation.create_round(task, rounds[0].targets, DEMONSTRATION, demonstration=True)


def advance(owner: Dynabench, people: Sequence[Person], found: Round) -> None:
    """Take a demonstration from its present state to its release."""
    written = lines(f"{FILES.name}/{found.task_slug}")
    if found.state == "draft":
        found = opened(owner, found)
    if found.state == "open":
        configuration = owner.annotation.task(found.task_slug).configuration
        stage = Stage(found.round_id, found.number, found.contexts, configuration)
        write_what_is_missing(owner, people, stage, written)
        vote_on_all(owner, people, stage, written)
        if not is_all_ours(owner, stage, written):
            print(
                f"{found.task_slug}: a visitor has written in the demonstration, so it stays open", flush=True
            )
            return
        found = owner.annotation.set_round_state(found.round_id, "closed")
    if found.state == "closed":
        release(owner, found.round_id, description=DESCRIPTION, licence=LICENCE)
        print(f"{found.task_slug}: the demonstration is released", flush=True)


def opened(owner: Dynabench, found: Round) -> Round:
    """Give a drafted round its contexts and open it."""
    area = owner.annotation
    if not area.contexts(found.round_id, limit=1).items:
        area.upload_contexts(found.round_id, (FILES / f"{found.task_slug}-contexts.jsonl").read_bytes())
    return area.set_round_state(found.round_id, "open")


def write_what_is_missing(
    owner: Dynabench, people: Sequence[Person], stage: Stage, written: Sequence[Line]
) -> None:
    """Submit the lines that are not in the round, and give the explanations that a killed run left out."""
    truth = texts(written)
    for person in people:
        for example in examples(person.client, stage, "me"):
            if stage.must_explain and example.fooled and not example.explanations.label:
                explain(person, truth[str(example.input[stage.text_field])], example.example_id)
    for _ in range(PASSES):
        there = {str(example.input[stage.text_field]) for example in examples(owner, stage, "all")}
        missing = [line for line in written if line.text not in there]
        if not missing:
            return
        deck = Deck(missing, len(people), seed=stage.round_number)
        for person in people:
            write(person, stage, deck, Outcome("", stage.round_id), _no_tick)


def examples(client: Dynabench, stage: Stage, author: str) -> list[Example]:
    """Return the examples of a round: one's own, or all."""
    area = client.annotation
    return list(
        every(lambda cursor: area.examples(stage.round_id, author=author, limit=LARGEST_PAGE, cursor=cursor))
    )


def is_all_ours(owner: Dynabench, stage: Stage, written: Sequence[Line]) -> bool:
    """Return whether the script wrote every text of the round: a release says so of all of them."""
    known = texts(written)
    return all(str(example.input[stage.text_field]) in known for example in examples(owner, stage, "all"))


def vote_on_all(owner: Dynabench, people: Sequence[Person], stage: Stage, written: Sequence[Line]) -> None:
    """Vote until every example of the round is resolved. Examples of other people may wait on; they are skipped."""
    truth, deadline = texts(written), time.monotonic() + VOTE_SECONDS
    while time.monotonic() < deadline:
        settle(owner, stage.round_id, SETTLE_SECONDS)
        for person in people:
            vote(person, stage, truth, Outcome("", stage.round_id), _no_tick)
        tries, votes = owner.annotation.counts(stage.round_id), owner.validation.counts(stage.round_id)
        if votes.examples >= tries.tries and not votes.pending:
            return
        time.sleep(1)


def _no_tick() -> None:
    """Show no progress."""


def people_of(home: Path, url: str) -> list[Person]:
    """Return the demonstration's people, signed up; a later run finds the same ones."""
    run = secrets.token_hex(3)
    entries = kept(home / PEOPLE_FILE, [(name, f"{name.replace(' ', '-').lower()}-{run}") for name in PEOPLE])
    return [_person(number, entry, url) for number, entry in enumerate(entries)]


def _person(number: int, entry: Mapping[str, str], url: str) -> Person:
    name, password = entry["user_name"], entry["password"]
    client = Dynabench(url, user_name=name, password=password)
    _unless_taken(lambda: Dynabench(url).accounts.sign_up(name, f"{name}@demo.invalid", password))
    _unless_taken(lambda: client.accounts.set_nickname(entry["name"]))
    return Person(number, client, error_rate=0.1, random=random.Random(number), flag_rate=0)


def _unless_taken(choose: Callable[[], object]) -> None:
    """Choose a name; it may be taken, since an earlier run chose it."""
    try:
        choose()
    except ProblemError as err:
        if err.status != 409:
            raise


def main() -> int:
    """Make the demonstrations of the platform of DYNABENCH_HOME, unless another process is making them."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--task", action="append", choices=TASKS, help="only this one; all unless given")
    tasks = parser.parse_args().task or TASKS
    layout = from_environment()
    os.nice(10)
    with (layout.run / LOCK_FILE).open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return 0
        profile = profiles.read(layout.home / "profile.json")
        owner = Dynabench(profile.url, token=profile.api_token)
        found = [each for task in tasks if (each := demonstration(owner, task)) is not None]
        unfinished = [each for each in found if each.state in ("draft", "open", "closed")]
        people = people_of(layout.home, profile.url) if unfinished else []
        for each in unfinished:
            advance(owner, people, each)
    return 0


if __name__ == "__main__":
    sys.exit(main())
