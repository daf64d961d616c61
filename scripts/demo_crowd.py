"""Show a paid campaign on a running platform: people from the practice platform write, check, and are paid.

The practice platform is the test server of the crowd platforms, which this script starts; no money moves. Eight people
write on the newest open round of sentiment and four check. One person comes twice, one returns the study, one is
screened out. What the practice platform has paid is then compared with the ledger.
"""

import argparse
import os
import random
import secrets
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import demo_sentences
import urllib3
from demo import settle, stage_of
from demo_lines import Deck, Line, texts
from demo_people import Outcome, Person, vote, write
from dynabench_client import Dynabench, ProblemError, profiles
from dynabench_client.results.base import LARGEST_PAGE, every
from dynabench_client.results.crowd import Campaign, Entry
from dynabench_local import secret_store
from dynabench_local.layout import Layout, checkout, from_environment
from rich.console import Console
from rich.table import Table

TASK, PLATFORM, CURRENCY = "sentiment", "practice", "GBP"
WRITERS, CHECKERS, UNITS = 8, 4, 2
PATIENCE_SECONDS = 120.0
SEED = 1
"""The seed of `make demo CYCLE=1`: no two rounds share a sentence. A text that fooled before is no unit."""


class Practice:
    """The practice platform, by its control interface."""

    def __init__(self, url: str) -> None:
        self._url = url

    def call(self, method: str, path: str, **body: Any) -> Any:
        """Return an answer of the control interface. Exits with its reason if it refuses."""
        answer = urllib3.request(method, f"{self._url}/control/{path}", json=body)
        if answer.status >= 400:
            raise SystemExit(f"The practice platform refuses {path}: {answer.data.decode(errors='replace')}")
        return answer.json() if answer.data else None

    def arrive(self, study_id: str, worker_id: str) -> dict[str, str]:
        """Send a person, and return the parameters of their entry address."""
        entry = self.call("POST", f"studies/{study_id}/arrivals", worker_id=worker_id)["entry_url"]
        return dict(parse_qsl(urlsplit(entry).query))

    def complete(self, parameters: dict[str, str], code: str) -> None:
        """Take a person back with a completion code."""
        self.call("POST", f"submissions/{parameters['SESSION_ID']}/completion", code=code)


@contextmanager
def practice_platform(layout: Layout) -> Iterator[Practice]:
    """Start the practice platform if it does not run yet, and stop it at the end."""
    url = layout.url("crowd_platforms")
    command = [sys.executable, "-m", "tests.crowd_platforms", "--port", str(layout.port("crowd_platforms"))]
    process = subprocess.Popen(command, cwd=checkout(), stdout=subprocess.DEVNULL)
    try:
        wait(lambda: _answers(url), "the practice platform")
        yield Practice(url)
    finally:
        process.terminate()
        process.wait()


def _answers(url: str) -> bool:
    try:
        return urllib3.request("GET", f"{url}/control/studies", retries=False).status == 200
    except urllib3.exceptions.HTTPError:
        return False


def wait(condition: Callable[[], bool], what: str) -> None:
    """Wait for a condition. Exits if it does not hold in time."""
    deadline = time.monotonic() + PATIENCE_SECONDS
    while not condition():
        if time.monotonic() > deadline:
            raise SystemExit(f"Waited {PATIENCE_SECONDS:.0f} s for {what}.")
        time.sleep(0.3)


class Show:
    """The demonstration: an owner, the pages' right to let people in, and the practice platform."""

    def __init__(
        self, owner: Dynabench, pages: Dynabench, practice: Practice, console: Console, url: str
    ) -> None:
        self.owner, self.pages, self.practice, self.console, self.url = owner, pages, practice, console, url
        self.stage = stage_of(owner, TASK, console.print)
        self.lines = demo_sentences.lines(self.stage.round_number, SEED)
        self.run = secrets.token_hex(4)

    def say(self, text: str) -> None:
        """Print a step."""
        self.console.print(f"[bold]→[/bold] {text}")

    def launch(self, work: str, places: int, reward: int, bonus: int) -> Campaign:
        """Draft and launch a campaign, and print what it is expected to cost."""
        terms: dict[str, Any] = {
            "platform": PLATFORM,
            "units": UNITS,
            "places": places,
            "reward_minor": reward,
            "bonus_minor": bonus,
            "currency": CURRENCY,
        }
        area, round_id = self.owner.crowd, self.stage.round_id
        expected = area.estimate(round_id, work, **terms)
        title = {
            "create": "Write sentences that fool a model",
            "validate": "Check sentences of other people",
        }[work]
        drafted = area.create(
            round_id, work, title=title, minutes=30, screen_out_minor=20 if bonus else 0, **terms
        )
        found = area.set_state(drafted.campaign_id, "running")
        self.say(f"{title}: runs, for at most {money(expected.cost_minor + expected.most_bonus_minor)}")
        return found

    def enter(self, campaign: Campaign, name: str) -> tuple[Entry, dict[str, str], Person]:
        """Let a person of the practice platform in, as the pages do."""
        parameters = self.practice.arrive(str(campaign.study_id), f"{name}-{self.run}")
        entry = self.pages.crowd.enter(campaign.campaign_id, parameters)
        client = Dynabench(self.url, access_token=entry.session.access_token)
        return entry, parameters, Person(len(name), client, 0.1, random.Random(name), flag_rate=0)

    def hand_in(self, entry: Entry, parameters: dict[str, str], person: Person) -> None:
        """Hand the work in once it is complete, and take the code back to the platform."""
        work_id = entry.work.assignment_id
        wait(lambda: person.client.crowd.my_work()[0].done >= UNITS, "the work to be counted")
        self.practice.complete(parameters, str(person.client.crowd.complete(work_id).code))

    def unwritten(self) -> list[Line]:
        """Return the lines that are not in the round: a repeated text is no unit. Exits if too few are left."""
        area, field = self.owner.annotation, self.stage.text_field
        listed = every(
            lambda cursor: area.examples(self.stage.round_id, author="all", limit=LARGEST_PAGE, cursor=cursor)
        )
        there = {str(example.input[field]) for example in listed}
        left = [line for line in self.lines if line.text not in there]
        if len(left) < WRITERS * UNITS:
            raise SystemExit(f"The round has nearly all sentences of the demo: open another round of {TASK}.")
        return left

    def write_all(self, campaign: Campaign) -> None:
        """Let the writers come, one of them twice, and work."""
        deck = Deck(self.unwritten()[: WRITERS * UNITS], WRITERS, seed=len(self.run))
        for number in range(WRITERS):
            entry, parameters, person = self.enter(campaign, f"writer-{number}")
            person.number = number
            if number == 0:
                entry, _, _ = self.enter(campaign, "writer-0")
                self.say("one person came twice, and continues the same work")
            write(person, self.stage, deck, Outcome(TASK, self.stage.round_id), _no_tick)
            self.hand_in(entry, parameters, person)

    def lose_two(self, campaign: Campaign) -> None:
        """Let a person return the study, and screen another out."""
        entry, _, person = self.enter(campaign, "leaver")
        person.client.crowd.give_back(entry.work.assignment_id)
        entry, parameters, person = self.enter(campaign, "stranger")
        self.owner.crowd.screen_out(entry.work.assignment_id)
        self.practice.complete(parameters, str(person.client.crowd.my_work()[0].code))
        self.say("one person returned the study, one was screened out and is paid for that")

    def check_all(self, campaign: Campaign) -> None:
        """Let the checkers vote until nothing waits, and hand in."""
        truth = texts(self.lines)
        for number in range(CHECKERS):
            entry, parameters, person = self.enter(campaign, f"checker-{number}")
            vote(person, self.stage, truth, Outcome(TASK, self.stage.round_id), _no_tick)
            work = person.client.crowd.complete(entry.work.assignment_id, nothing_left=True)
            self.practice.complete(parameters, str(work.code))

    def pay(self, campaigns: Sequence[Campaign]) -> None:
        """Approve everything, pay what is owed, and wait until the platform has paid."""
        area = self.owner.crowd
        for each in campaigns:
            area.approve_all(each.campaign_id)
            for incomplete in area.assignments(each.campaign_id, state="submitted", limit=LARGEST_PAGE).items:
                area.approve(incomplete.assignment_id)
            owed = area.owed(each.campaign_id)
            area.pay(each.campaign_id, owed.total_minor)
            wait(lambda: _is_paid(self.owner, each.campaign_id), "the payments")  # noqa: B023

    def report(self, campaigns: Sequence[Campaign]) -> int:
        """Print what was paid, and return 1 if the platform and the ledger differ."""
        table = Table("campaign", "people", "confirmed errors", "paid", "the platform's record")
        self.practice.call("POST", "settlements")
        recorded, is_wrong = self.practice.call("GET", "payments"), False
        for each in campaigns:
            found = self.owner.crowd.campaign(each.campaign_id)
            there = sum(one["amount_minor"] for one in recorded if one["study_id"] == found.study_id)
            is_wrong |= there != found.paid_minor
            people = str(sum(found.counts.values()))
            table.add_row(
                found.title, people, str(found.validated_errors), money(found.paid_minor), money(there)
            )
        self.console.print(table)
        for cost in self.owner.crowd.error_cost(self.stage.round_id):
            if cost.per_error_minor is not None:
                self.say(f"a confirmed error cost {money(cost.per_error_minor)}")
        for each in campaigns:
            self.console.print(f"  {self.url}/tasks/{TASK}/campaigns/{each.campaign_id}", soft_wrap=True)
        return int(is_wrong)


def _is_paid(owner: Dynabench, campaign_id: str) -> bool:
    owed = owner.crowd.owed(campaign_id)
    return not owed.unsettled and not owner.crowd.campaign(campaign_id).owed_minor


def _no_tick() -> None:
    """Show no progress."""


def money(amount_minor: int) -> str:
    """Return an amount in pounds."""
    return f"£{amount_minor / 100:.2f}"


def main() -> int:
    """Play on the platform of DYNABENCH_HOME, as its owner."""
    argparse.ArgumentParser(description=__doc__).parse_args()
    layout = from_environment()
    profile = profiles.read(Path(os.environ["DYNABENCH_HOME"]) / "profile.json")
    owner = Dynabench(profile.url, token=profile.api_token)
    pages = Dynabench(profile.url, access_token=secret_store.load(layout.home)["service_token_web"])
    console = Console()
    with practice_platform(layout) as practice:
        show = Show(owner, pages, practice, console, profile.url)
        try:
            writing = show.launch("create", WRITERS + 2, reward=150, bonus=30)
            show.write_all(writing)
            show.lose_two(writing)
            checking = show.launch("validate", CHECKERS, reward=100, bonus=0)
            settle(owner, show.stage.round_id)
            show.check_all(checking)
            settle(owner, show.stage.round_id)
            show.pay([writing, checking])
        except ProblemError as err:
            raise SystemExit(f"{err}") from err
        return show.report([writing, checking])


if __name__ == "__main__":
    sys.exit(main())
