"""Kill the crowd service and its stores while people enter, hand in and are paid: nobody is paid twice or forgotten."""

import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from dynabench_client import Dynabench, ProblemError, UnreachableError
from dynabench_common.testing import wait_until

from tests.crowd_platforms.server import CrowdPlatforms
from tests.crowd_workers import Workers
from tests.figures import Figure, at_most, plain
from tests.own_platform import OwnPlatform, console
from tests.scenarios import PRAISE, write

PEOPLE, UNITS, AT_ONCE = 24, 2, 4
REWARD, BONUS = 150, 30
KILLED = ("crowd-http", "crowd-worker", "postgres", "crowd-http")
LOST_ANSWERS = ("bulk-approve", "/bonus-payments/", "/pay/")
"""Calls that the practice platform carries out without answering, once each."""
PATIENCE_SECONDS = 600.0
PAUSE_SECONDS = 2.0
Answer = TypeVar("Answer")
Strike = Callable[[OwnPlatform, str], None]


def figures(platform: OwnPlatform, kill: Strike) -> Iterator[Figure]:
    """Let people work and be paid while parts are killed, and compare with what the practice platform recorded."""
    practice = CrowdPlatforms(platform.stack.layout.port("crowd_platforms"))
    practice.start()
    try:
        yield from _figures(platform, kill, practice)
    finally:
        practice.stop()


def _figures(platform: OwnPlatform, kill: Strike, practice: CrowdPlatforms) -> Iterator[Figure]:
    owner, round_id = platform.owner, platform.round_id
    campaign_id = owner.crowd.create(
        round_id, "create", title="Faults", platform="practice", units=UNITS, places=PEOPLE, reward_minor=REWARD,
        bonus_minor=BONUS, currency="GBP", minutes=60,
    ).campaign_id  # fmt: skip
    study_id = str(owner.crowd.set_state(campaign_id, "running").study_id)
    workers = Workers(platform.url, platform.stack.secrets["service_token_web"], practice)

    def work(number: int) -> None:
        entry, parameters, person = _until_done(
            lambda: workers.enter(study_id, campaign_id, f"worker-{number}")
        )
        for unit in range(UNITS):
            text = PRAISE.format(f"dish {number} of day {unit}")
            _until_done(lambda: _write_once(person, round_id, text))  # noqa: B023
        _until_done(lambda: workers.hand_in(entry, parameters, person))

    with ThreadPoolExecutor(AT_ONCE) as pool:
        jobs = [pool.submit(work, number) for number in range(PEOPLE)]
        for share, part in enumerate(KILLED, start=1):
            wanted = PEOPLE * share // (len(KILLED) + 1)
            wait_until(lambda: sum(job.done() for job in jobs) >= wanted, PATIENCE_SECONDS, "people")  # noqa: B023
            kill(platform, part)
        for job in jobs:
            job.result()
    _confirm_all(owner, round_id)
    for call in LOST_ANSWERS:
        practice.fail(call, "after", "drop")
    _pay(platform, kill, campaign_id)
    yield from _verdicts(owner, practice, campaign_id, study_id)


def _write_once(person: Dynabench, round_id: str, text: str) -> None:
    """Write a text unless an attempt without an answer has stored it."""
    stored = person.annotation.examples(round_id, author="me", limit=20).items
    if text not in {str(each.input["text"]) for each in stored}:
        write(person, round_id, text, "negative")


def _confirm_all(owner: Dynabench, round_id: str) -> None:
    """Let the owner decide that every author is right."""
    listed = owner.annotation.examples(round_id, author="all", limit=200).items
    for each in listed:
        _until_done(
            lambda: owner.validation.adjudicate(each.example_id, "label", "It is so.", value="negative")  # noqa: B023
        )


def _pay(platform: OwnPlatform, kill: Strike, campaign_id: str) -> None:
    """Approve and pay everything while the service is killed again and again."""
    ended = threading.Event()

    def strike() -> None:
        for part in ("crowd-worker", "crowd-http", "crowd-worker", "postgres"):
            kill(platform, part)
            if ended.wait(PAUSE_SECONDS * 4):
                return

    striking = threading.Thread(target=strike)
    striking.start()
    area = platform.owner.crowd

    def is_paid() -> bool:
        try:
            area.approve_all(campaign_id)
            owed = area.owed(campaign_id)
            if owed.total_minor:
                area.pay(campaign_id, owed.total_minor)
            found = area.campaign(campaign_id)
        except (ProblemError, UnreachableError):
            time.sleep(PAUSE_SECONDS)
            return False
        expected = PEOPLE * (REWARD + UNITS * BONUS)
        return not owed.unsettled and found.paid_minor >= expected

    wait_until(is_paid, PATIENCE_SECONDS, "everybody to be paid")
    ended.set()
    striking.join()


def _verdicts(
    owner: Dynabench, practice: CrowdPlatforms, campaign_id: str, study_id: str
) -> Iterator[Figure]:
    practice.control("POST", "settlements")
    there = [each for each in practice.control("GET", "payments") if each["study_id"] == study_id]
    rewards = Counter(each["submission_id"] for each in there if each["kind"] == "reward")
    bonuses: Counter[str] = Counter()
    for each in there:
        if each["kind"] == "bonus":
            bonuses[each["submission_id"]] += each["amount_minor"]
    found = owner.crowd.campaign(campaign_id)
    done = [each.done for each in owner.crowd.assignments(campaign_id, limit=200).items]
    total = sum(each["amount_minor"] for each in there)
    console.print(f"{len(done)} people, {len(there)} payments, {total} pence on the platform")
    yield plain("crowd: people who worked", len(done), "people")
    yield at_most("crowd: assignments more or less than people", abs(len(done) - PEOPLE), "assignments", 0)
    yield at_most("crowd: units of work lost", sum(UNITS - each for each in done), "units", 0)
    yield at_most("crowd: rewards paid twice", sum(rewards.values()) - len(rewards), "payments", 0)
    yield at_most("crowd: rewards not paid", PEOPLE - len(rewards), "payments", 0)
    wrong = sum(amount != UNITS * BONUS for amount in bonuses.values()) + PEOPLE - len(bonuses)
    yield at_most("crowd: people with another bonus than is owed", wrong, "people", 0)
    yield at_most("crowd: ledger and platform differ", abs(total - found.paid_minor), "pence", 0)


def _until_done(act: Callable[[], Answer]) -> Answer:
    """Repeat an act whose service may be away. Raises AssertionError after the patience."""
    deadline = time.monotonic() + PATIENCE_SECONDS
    while True:
        try:
            return act()
        except (ProblemError, UnreachableError) as err:
            assert time.monotonic() < deadline, err
            time.sleep(PAUSE_SECONDS)
