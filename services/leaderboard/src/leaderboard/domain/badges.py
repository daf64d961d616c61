"""Badges of a person, from the facts that count now.

A badge has the day (UTC) of the try, vote or publication that earned it. It disappears once that no longer counts. So
badges depend on facts alone, never on the order of their arrival, and a rebuild gives the same ones. Nobody can keep a
badge and take its example back.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from uuid import UUID

from leaderboard.domain.badge_rules import BADGES, EVERY, FEWEST_TASKS, PER_TASK, REPEATED, BadgeRule, Kind


@dataclass(frozen=True, slots=True)
class PersonTry:
    """A try of a person, as badges see it; `kept` is fooling that was not rejected."""

    task_id: UUID
    round_id: UUID
    example_id: UUID
    created_at: datetime
    decided: bool
    retracted: bool
    kept: bool
    is_error: bool


@dataclass(frozen=True, slots=True)
class Publication:
    """A published model of a person, by the time of its first publication."""

    task_id: UUID
    published_at: datetime


@dataclass(frozen=True, slots=True)
class WonWeek:
    """A past ISO week in which nobody had more validated errors in the task."""

    task_id: UUID
    week: str


@dataclass(frozen=True, slots=True)
class LedRound:
    """A round on whose dataset a model of the person was the best on arrival."""

    task_id: UUID
    round_id: UUID
    led_at: datetime


@dataclass(frozen=True, slots=True)
class PersonFacts:
    """Facts behind a person's badges; tries are in the order in which they were made.

    `voted_on` are the days with a vote that counts. `opened` has, by task, the time when its first round with writing
    by people was opened.
    """

    tries: Sequence[PersonTry] = ()
    voted_on: Sequence[date] = ()
    publications: Sequence[Publication] = ()
    opened: Mapping[UUID, datetime] = field(default_factory=dict)
    won: Sequence[WonWeek] = ()
    led: Sequence[LedRound] = ()


@dataclass(frozen=True, slots=True)
class Mark:
    """Cause of one increment of a count: the day, and its task, round, example or week if there is one."""

    on: date
    task_id: UUID | None = None
    round_id: UUID | None = None
    example_id: UUID | None = None
    week: str = ""


@dataclass(frozen=True, slots=True)
class Badge:
    """A badge that somebody has."""

    name: str
    mark: Mark


@dataclass(frozen=True, slots=True)
class Progress:
    """Progress toward a badge: `reached` of `needed`, in a task if the badge is counted by task."""

    name: str
    reached: int
    needed: int
    task_id: UUID | None = None


def badges(facts: PersonFacts) -> list[Badge]:
    """Return the badges that a person has, the newest first."""
    counted = _counted(facts)
    found = [badge for rule in BADGES for badge in _earned(rule, facts, counted)]
    return sorted(found, key=lambda badge: badge.mark.on, reverse=True)


def next_badges(facts: PersonFacts) -> list[Progress]:
    """Return the next unearned badge of each kind, with the person's progress.

    Kinds that give a badge each time have no next one. Kinds counted by task cover the tasks that the person wrote in.
    """
    counted = _counted(facts)
    found: dict[tuple[Kind, UUID | None], Progress] = {}
    for rule in BADGES:
        if rule.kind in REPEATED:
            continue
        for task_id, marks in _by_task(rule, facts, counted):
            needed = rule.needed if rule.needed != EVERY else max(len(facts.opened), FEWEST_TASKS)
            is_earned = bool(_coverage(rule.kind, facts)) if rule.needed == EVERY else len(marks) >= needed
            if not is_earned:
                progress = Progress(rule.name, min(len(marks), needed), needed, task_id)
                found.setdefault((rule.kind, task_id), progress)
    return list(found.values())


Counted = Mapping[tuple[Kind, UUID | None], Sequence[Mark]]
"""By kind, and by task for kinds counted by task: the acts that brought the count to 1, 2, 3 …"""


def _earned(rule: BadgeRule, facts: PersonFacts, counted: Counted) -> Iterator[Badge]:
    if rule.needed == EVERY:
        yield from (Badge(rule.name, mark) for mark in _coverage(rule.kind, facts))
        return
    for _, marks in _by_task(rule, facts, counted):
        if rule.kind in REPEATED:
            yield from (Badge(rule.name, mark) for mark in marks)
        elif len(marks) >= rule.needed:
            yield Badge(rule.name, marks[rule.needed - 1])


def _by_task(
    rule: BadgeRule, facts: PersonFacts, counted: Counted
) -> Iterator[tuple[UUID | None, Sequence[Mark]]]:
    tasks: Iterable[UUID | None] = (None,)
    if rule.kind in PER_TASK:
        tasks = dict.fromkeys(each.task_id for each in facts.tries)
    for task_id in tasks:
        yield task_id, counted.get((rule.kind, task_id), ())


def _counted(facts: PersonFacts) -> Counted:
    found: dict[tuple[Kind, UUID | None], list[Mark]] = defaultdict(list)
    runs: dict[UUID, int] = defaultdict(int)
    for each in facts.tries:
        mark = Mark(_day(each.created_at), each.task_id, each.round_id, each.example_id)
        if not each.retracted:
            found[Kind.EXAMPLES, None].append(mark)
        if each.is_error:
            found[Kind.VALIDATED_ERRORS, None].append(mark)
        if each.kept:
            found[Kind.KEPT_FOOLING, each.task_id].append(mark)
        if each.decided:
            runs[each.task_id] = runs[each.task_id] + 1 if each.kept else 0
            if runs[each.task_id] > len(found[Kind.FOOLING_STREAK, each.task_id]):
                found[Kind.FOOLING_STREAK, each.task_id].append(mark)
    found[Kind.VOTES, None] = [Mark(day) for day in sorted(facts.voted_on)]
    found[Kind.DAY_STREAK, None] = list(_day_streak(facts))
    found[Kind.WEEK_WON, None] = [Mark(_last_day(won.week), won.task_id, week=won.week) for won in facts.won]
    found[Kind.TASKS_COVERED, None] = _firsts((each.task_id, each.created_at) for each in _examples(facts))
    models = sorted(facts.publications, key=lambda each: each.published_at)
    found[Kind.MODELS_PUBLISHED, None] = [Mark(_day(each.published_at), each.task_id) for each in models]
    found[Kind.TASKS_WITH_MODEL, None] = _firsts((each.task_id, each.published_at) for each in models)
    found[Kind.ROUND_LED, None] = [Mark(_day(each.led_at), each.task_id, each.round_id) for each in facts.led]
    return found


def _examples(facts: PersonFacts) -> Iterator[PersonTry]:
    return (each for each in facts.tries if not each.retracted)


def _firsts(acts: Iterable[tuple[UUID, datetime]]) -> list[Mark]:
    """Return the first act in each task; acts are in the order of their times."""
    first: dict[UUID, Mark] = {}
    for task_id, at in acts:
        first.setdefault(task_id, Mark(_day(at), task_id))
    return list(first.values())


def _coverage(kind: Kind, facts: PersonFacts) -> list[Mark]:
    """Return when a person had done something in every task that was open by then; a later task takes nothing away."""
    acts = [(each.task_id, each.created_at) for each in _examples(facts)]
    if kind is Kind.TASKS_WITH_MODEL:
        acts = sorted(
            ((each.task_id, each.published_at) for each in facts.publications), key=lambda act: act[1]
        )
    covered: set[UUID] = set()
    for task_id, at in acts:
        if task_id in covered:
            continue
        covered.add(task_id)
        there_were = {task for task, opened_at in facts.opened.items() if opened_at <= at}
        if len(there_were) >= FEWEST_TASKS and there_were <= covered:
            return [Mark(_day(at))]
    return []


def _day_streak(facts: PersonFacts) -> Iterator[Mark]:
    """Yield the days on which the longest row of days so far grew."""
    days = sorted({*facts.voted_on, *(_day(each.created_at) for each in _examples(facts))})
    longest = run = 0
    before: date | None = None
    for day in days:
        run = run + 1 if before is not None and day - before == timedelta(days=1) else 1
        before = day
        if run > longest:
            longest = run
            yield Mark(day)


def _day(at: datetime) -> date:
    return at.astimezone(UTC).date()


def _last_day(week: str) -> date:
    year, _, number = week.partition("-W")
    return date.fromisocalendar(int(year), int(number), 7)
