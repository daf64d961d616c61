"""Size of an installation by its number of people: print the table of helm/dynabench/sizing.md.

A day is simulated minute by minute. People arrive by a curve of the day, in bursts, and do unequal amounts of work
(Zipf), one author more than all others. The cost of each action is read from the last report of `make bench`
(docs/measurements); the actions themselves are assumed, as the page says. `--write` puts the table and the costs into
the page; a test keeps them equal.
"""

import argparse
import math
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from measurements import figure
from numpy.typing import NDArray

PAGE = Path(__file__).resolve().parents[1] / "helm" / "dynabench" / "sizing.md"
TABLE, COSTS = "the table", "the costs"
"""Parts of the page that this script writes."""
SEED = 20_261_124
PEOPLE = (100, 10_000, 1_000_000)
MINUTES = 24 * 60

# Activity: assumed.
DAILY_SHARE = 0.10
"""The share of a month's active people who come on one day."""
HOURS_EACH = 0.5
"""Duration of a visit, in hours."""
TRIES_PER_HOUR, VOTES_PER_HOUR, PAGES_PER_HOUR = 15, 30, 120
"""Actions of one person in an hour of a visit."""
EXPLAINED_SHARE = 0.2
"""Share of tries with a requested explanation."""
TARGETS = 2
EVENTS_PER_TRY, EVENTS_PER_VOTE = 1.2, 1.3
"""The try or vote itself, and what follows from some: retraction, resolution, audit."""
ZIPF_EXPONENT = 1.1
DOMINATING_SHARE = 0.2
"""Share of a round's tries by one author."""
BURST_FACTOR, BURST_MINUTES, BURSTS = 3.0, 15, 2
"""A burst after publicity: its factor, its duration, and its number in a day."""
BUSY_SHARE = 0.6
"""Used share of a reserved core in the busiest minutes: the rest is a margin."""
REPLICAS_OF_STORES = 3

# Costs: measured, in seconds of one core and events a second; stored bytes were measured by hand.
ACTIONS = ("try, without its model", "vote", "next example", "page, mean of all")
TRY, VOTE, NEXT, PAGE_VIEW = (figure(f"{name}: processor time of the services") / 1000 for name in ACTIONS)
"""Cost of the services: a try without its model."""
STORES_TRY, STORES_VOTE, STORES_NEXT, STORES_PAGE = (
    figure(f"{name}: processor time of stores and edge") / 1000 for name in ACTIONS
)
"""PostgreSQL, Kafka and the edge together."""
FORWARD, EXPLANATION = figure("TorchServe p50 at 1") / 1000, figure("explanation with 20 steps, p50") / 1000
"""Of a MiniLM model: one answer, one explanation of 20 steps."""
RELAY, CONSUMER = figure("relay, one aggregate with nine of ten"), figure("consumer throughput, one worker")
"""Events a second: of one service's relay, and of one worker."""
TRY_BYTES, VOTE_BYTES = 5_200, 1_000
"""Bytes stored in all databases together, indexes included: twice the rows of 163 tries; votes assumed."""
TRY_LOG_BYTES, VOTE_LOG_BYTES = 1_000, 540
"""An event with its headers: a sentence with one target, a vote on a label."""
WEB_SHARE = 0.6
"""Share of the rendering process in a page's cost to the services; the rest is that of the called services: assumed."""


@dataclass(frozen=True)
class Day:
    """A simulated day: things done in its busiest minute but one in a thousand, per second, and in all."""

    people: int
    tries_per_second: float
    votes_per_second: float
    pages_per_second: float
    tries: int
    votes: int
    busiest_partition: float
    largest_author: float
    effective_authors: float

    @property
    def at_once(self) -> float:
        """Return the number of people in that minute."""
        return self.pages_per_second * 3600 / PAGES_PER_HOUR


def simulate(people: int, seed: int = SEED) -> Day:
    """Return a day of so many active people; the same seed gives the same day."""
    generator = np.random.default_rng(seed + people)
    share = day_curve(generator)
    hours = people * DAILY_SHARE * HOURS_EACH
    done = {
        name: generator.poisson(share * hours * rate)
        for name, rate in (("tries", TRIES_PER_HOUR), ("votes", VOTES_PER_HOUR), ("pages", PAGES_PER_HOUR))
    }
    peaks = {name: float(np.quantile(counts, 0.999)) / 60 for name, counts in done.items()}
    tries = int(done["tries"].sum())
    authors = tries_by_author(generator, max(2, round(people * DAILY_SHARE)), tries)
    partitions = np.bincount(generator.integers(0, 6, size=min(tries, 1_000_000)), minlength=6)
    return Day(
        people=people,
        tries_per_second=peaks["tries"],
        votes_per_second=peaks["votes"],
        pages_per_second=peaks["pages"],
        tries=tries,
        votes=int(done["votes"].sum()),
        busiest_partition=float(partitions.max() / max(1, partitions.sum())),
        largest_author=float(authors.max() / max(1, tries)),
        effective_authors=float(authors.sum() ** 2 / max(1, (authors.astype(float) ** 2).sum())),
    )


def day_curve(generator: np.random.Generator) -> NDArray[np.float64]:
    """Return each minute's share of a day: few at night, most in the evening, and the bursts."""
    hours = np.arange(MINUTES) / 60
    curve = 0.25 + np.exp(-(((hours - 20) / 2.5) ** 2)) + 0.6 * np.exp(-(((hours - 13) / 3.0) ** 2))
    for begin in generator.integers(8 * 60, 22 * 60, size=BURSTS):
        curve[begin : begin + BURST_MINUTES] *= BURST_FACTOR
    shares: NDArray[np.float64] = curve / curve.sum()
    return shares


def tries_by_author(generator: np.random.Generator, authors: int, tries: int) -> NDArray[np.int64]:
    """Return each author's number of tries: one their fixed share, the others by Zipf's law."""
    weights = 1 / np.arange(1, authors, dtype=float) ** ZIPF_EXPONENT
    shares = np.concatenate([[DOMINATING_SHARE], (1 - DOMINATING_SHARE) * weights / weights.sum()])
    return generator.multinomial(tries, shares)


@dataclass(frozen=True)
class Size:
    """Needs of a day's busiest minutes: cores used, copies of processes, partitions, bytes in a month."""

    day: Day

    @property
    def web(self) -> float:
        """Return the cores of the process that makes pages."""
        return self.day.pages_per_second * PAGE_VIEW * WEB_SHARE

    @property
    def services(self) -> float:
        """Return the cores of all other services."""
        day = self.day
        pages = day.pages_per_second * PAGE_VIEW * (1 - WEB_SHARE)
        return pages + day.tries_per_second * TRY + day.votes_per_second * (VOTE + NEXT)

    @property
    def models(self) -> float:
        """Return the cores of answers."""
        return self.day.tries_per_second * TARGETS * FORWARD

    @property
    def explanations(self) -> float:
        """Return the cores of explanations; they have workers of their own."""
        return self.day.tries_per_second * TARGETS * EXPLAINED_SHARE * EXPLANATION

    @property
    def stores(self) -> float:
        """Return the cores of PostgreSQL, Kafka and the edge."""
        day = self.day
        votes = day.votes_per_second * (STORES_VOTE + STORES_NEXT)
        return day.pages_per_second * STORES_PAGE + day.tries_per_second * STORES_TRY + votes

    @property
    def cores(self) -> float:
        """Return all cores used."""
        return self.web + self.services + self.models + self.explanations + self.stores

    @property
    def events_per_second(self) -> float:
        """Return the events of all topics."""
        return self.day.tries_per_second * EVENTS_PER_TRY + self.day.votes_per_second * EVENTS_PER_VOTE

    @property
    def partitions(self) -> int:
        """Return the number of partitions that a topic needs for its consumers: six at least, as they are made."""
        return max(6, 6 * math.ceil(self.events_per_second / (CONSUMER * BUSY_SHARE) / 6))

    @property
    def database_gigabytes(self) -> float:
        """Return a month's growth of databases, in GB of one copy."""
        return 30 * (self.day.tries * TRY_BYTES + self.day.votes * VOTE_BYTES) / 1e9

    @property
    def log_gigabytes(self) -> float:
        """Return a month's growth of the log, in GB of all copies."""
        once = (
            self.day.tries * EVENTS_PER_TRY * TRY_LOG_BYTES
            + self.day.votes * EVENTS_PER_VOTE * VOTE_LOG_BYTES
        )
        return 30 * once * REPLICAS_OF_STORES / 1e9

    @property
    def replicas_of_web(self) -> int:
        """Return the number of page-making copies: a Python process uses one core, and two outlive the loss of one."""
        return replicas(self.web)

    @property
    def replicas_of_annotation(self) -> int:
        """Return the number of copies for tries, if all of a try were their work: the upper bound."""
        return replicas(self.day.tries_per_second * TRY)

    @property
    def replicas_of_validation(self) -> int:
        """Return the number of copies for votes, if all of a vote and the next example were their work."""
        return replicas(self.day.votes_per_second * (VOTE + NEXT))


def replicas(cores: float) -> int:
    """Return the copies of a process of one core for a use of so many."""
    return max(2, math.ceil(cores / BUSY_SHARE))


def table(sizes: Sequence[Size]) -> str:
    """Return the table in Markdown."""
    rows: Iterable[tuple[str, list[str]]] = (
        ("people active in a month", [f"**{size.day.people:,}**" for size in sizes]),
        ("at once, in the busiest minute", [f"{size.day.at_once:,.0f}" for size in sizes]),
        ("tries, votes, pages a second then", [_triple(size.day) for size in sizes]),
        ("tries in a month", [f"{size.day.tries * 30:,}" for size in sizes]),
        ("events a second, all topics", [_number(size.events_per_second) for size in sizes]),
        ("cores used: pages", [_number(size.web) for size in sizes]),
        ("other services", [_number(size.services) for size in sizes]),
        ("models, answers", [_number(size.models) for size in sizes]),
        ("models, explanations", [_number(size.explanations) for size in sizes]),
        ("PostgreSQL, Kafka, edge", [_number(size.stores) for size in sizes]),
        ("**cores to reserve**", [f"**{math.ceil(size.cores / BUSY_SHARE):,}**" for size in sizes]),
        ("copies of `web-http`", [str(size.replicas_of_web) for size in sizes]),
        ("copies of `annotation-http`, at most", [str(size.replicas_of_annotation) for size in sizes]),
        ("copies of `validation-http`, at most", [str(size.replicas_of_validation) for size in sizes]),
        ("partitions of a topic", [str(size.partitions) for size in sizes]),
        ("records in the busiest of six partitions", [f"{size.day.busiest_partition:.1%}" for size in sizes]),
        ("databases, GB a month", [_number(size.database_gigabytes) for size in sizes]),
        ("log, GB a month, three copies", [_number(size.log_gigabytes) for size in sizes]),
        ("largest author's share of a day's tries", [f"{size.day.largest_author:.1%}" for size in sizes]),
        ("effective authors of a day", [f"{size.day.effective_authors:.1f}" for size in sizes]),
    )
    lines = [f"| {name} | {' | '.join(cells)} |" for name, cells in rows]
    return "\n".join([lines[0], "|---|" + "---:|" * len(sizes), *lines[1:]])


def _triple(day: Day) -> str:
    return ", ".join(
        _number(rate) for rate in (day.tries_per_second, day.votes_per_second, day.pages_per_second)
    )


def _number(value: float) -> str:
    return f"{value:,.0f}" if value >= 100 else f"{value:.1f}" if value >= 10 else f"{value:.2f}"


def costs() -> str:
    """Return the measured costs in Markdown."""
    rows = (
        ("a try without its model: services; stores and edge (ms)", TRY, STORES_TRY),
        ("a vote: services; stores and edge (ms)", VOTE, STORES_VOTE),
        ("a next example: services; stores and edge (ms)", NEXT, STORES_NEXT),
        ("a page: services; stores and edge (ms)", PAGE_VIEW, STORES_PAGE),
        ("an answer of a MiniLM target, one thread (ms)", FORWARD),
        ("an explanation with 20 steps, one thread (ms)", EXPLANATION),
    )
    lines = [f"| {name} | {'; '.join(_number(1000 * each) for each in of)} |" for name, *of in rows]
    rates = (("one relay (events/s)", RELAY), ("one consumer (events/s)", CONSUMER))
    lines += [f"| {name} | {_number(rate)} |" for name, rate in rates]
    return "\n".join(["| cost | value |", "|---|---|", *lines])


def written(text: str, part: str, new: str) -> str:
    """Return a page with a part of it written anew between its marks."""
    begin, end = f"<!-- {part} of scripts/sizing.py begins -->", f"<!-- {part} of scripts/sizing.py ends -->"
    before, _, rest = text.partition(begin)
    after = rest.partition(end)[2]
    return f"{before}{begin}\n{new}\n{end}{after}"


def main() -> int:
    """Print the table, or write it into the page."""
    parser = argparse.ArgumentParser(description="How large an installation must be.")
    parser.add_argument("--people", type=int, nargs="+", default=PEOPLE, help="active in a month")
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--write", action="store_true", help="write the table into the page")
    given = parser.parse_args()
    if min(given.people) < 1:
        parser.error("--people must be 1 or more")
    made = table([Size(simulate(people, given.seed)) for people in given.people])
    if given.write:
        text = written(PAGE.read_text(encoding="utf-8"), TABLE, made)
        PAGE.write_text(written(text, COSTS, costs()), encoding="utf-8")
    else:
        print(made)
    return 0


if __name__ == "__main__":
    sys.exit(main())
