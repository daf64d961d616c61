"""Activity of a task: tries by day from the rounds' histories, else by round."""

from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import date, datetime, time, timedelta

from dynabench_client.results.leaderboard import History

from web.kit.language import _
from web.kit.numbers import day_of_year

MOST_DAYS = 30


def tries_by_day(histories: Iterable[History]) -> list[tuple[str, int]]:
    """Return `(day, tries)` for every day up to the newest one with a try, at most the last MOST_DAYS.

    A point of a history marks the end of an interval and has the number of all tries until then. So the tries of a
    day are the difference of two points. An interval across midnight counts for the day of its end.
    """
    by_day: Counter[date] = Counter()
    for history in histories:
        before = 0
        for point in history.points:
            if point.at is not None:
                by_day[point.at.date()] += point.tries - before
                before = point.tries
    busy = [day for day, tries in by_day.items() if tries > 0]
    if not busy:
        return []
    last = max(busy)
    first = max(min(busy), last - timedelta(days=MOST_DAYS - 1))
    days = (first + timedelta(days=passed) for passed in range((last - first).days + 1))
    return [(day_of_year(datetime.combine(day, time())), max(0, by_day[day])) for day in days]


def tries_by_round(rounds: Sequence[tuple[int, int]]) -> list[tuple[str, int]]:
    """Return `(round, tries)` of `(number, tries)`, oldest first; empty without tries."""
    ordered = sorted(rounds)
    if not any(tries for _number, tries in ordered):
        return []
    return [(_("Round %(number)s", number=number), tries) for number, tries in ordered]
