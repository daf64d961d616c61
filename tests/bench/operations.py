"""Processor time of a next example, a vote and a try; and examples and votes per second."""

import time
from collections.abc import Iterator

from tests.bench import tries
from tests.bench.load import run
from tests.bench.processor_time import Cost, ProcessorTime
from tests.bench.validators import import_queue, validators_of
from tests.figures import Figure, at_least, at_most
from tests.own_platform import OwnPlatform, console

QUEUE = 5_000
PEOPLE = 32
TURNS = 10
TRIES = 40
SECONDS = 20.0
SETTLED_SECONDS = 3.0
"""Time after which the work of the last operations is done."""


def figures(platform: OwnPlatform) -> Iterator[Figure]:
    """Measure next examples and votes, and tries."""
    processor_time = ProcessorTime(platform.stack)
    yield from _validating(platform, processor_time)
    yield from _trying(platform, processor_time)


def _validating(platform: OwnPlatform, processor_time: ProcessorTime) -> Iterator[Figure]:
    round_id = import_queue(platform, "a queue of operations", QUEUE)
    people = validators_of(platform, round_id, "operator", PEOPLE)
    for person in people:
        person.next_and_vote(0)
    time.sleep(SETTLED_SECONDS)
    given, voted = Cost(), Cost()
    for turn in range(TURNS):
        processor_time.restart()
        done = sum(person(turn) for person in people)
        given.add(processor_time, done)
        processor_time.restart()
        done = sum(person.vote() for person in people)
        time.sleep(SETTLED_SECONDS)
        voted.add(processor_time, done)
    yield from given.figures("next example", 5)
    yield from voted.figures("vote", 5)
    one, all_of_them = (run([each.next_and_vote for each in some], SECONDS) for some in (people[:1], people))
    console.print(
        f"pairs: one person {one.per_second:.0f}/s at {one.p50:.0f} ms, {PEOPLE} people {all_of_them.p50:.0f} ms"
    )
    yield at_least("next example and vote, one person", one.per_second, "pairs/s", 60)
    yield at_least(f"next example and vote, {PEOPLE} people", all_of_them.per_second, "pairs/s", 150)
    yield at_most("next example and vote, failed", one.failures + all_of_them.failures, "pairs", 0)


def _trying(platform: OwnPlatform, processor_time: ProcessorTime) -> Iterator[Figure]:
    people = tries.people(platform, "trier", tries.PEOPLE)
    for person in people:
        person(0)
    time.sleep(SETTLED_SECONDS)
    cost = Cost()
    processor_time.restart()
    done = sum(person(number) for number in range(1, TRIES + 1) for person in people)
    time.sleep(SETTLED_SECONDS)
    cost.add(processor_time, done)
    yield from cost.figures("try, without its model", 10)
