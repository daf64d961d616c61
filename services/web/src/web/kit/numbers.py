"""Numbers, shares and times as they are printed, in the formats of the reader's language."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from functools import lru_cache, reduce

from babel import Locale
from babel.dates import format_datetime
from babel.numbers import NumberPattern, parse_pattern
from dynabench_client.results.leaderboard import ProjectedRate, Rate

from web.kit.language import N_, _, locale, ngettext, pgettext
from web.kit.service_words import service_words

MISSING = "–"
STRATA = {
    "fooled": N_("fooled"),
    "not_fooled": N_("not fooled"),
    "undecided": N_("undecided"),
    "unknown": N_("unknown"),
}


@dataclass(frozen=True)
class RateView:
    """A share in percent with its interval in words; `note` says why something is missing."""

    value: str = MISSING
    interval: str = ""
    n: str = ""
    note: str = ""
    share: float | None = None
    low: float | None = None
    high: float | None = None

    @property
    def has_value(self) -> bool:
        """Return whether there is a share."""
        return self.share is not None


@dataclass(frozen=True)
class TimeView:
    """A moment for people and for programs."""

    words: str
    iso: str


def count(number: float | None) -> str:
    """Return a whole number with thousands separators."""
    return MISSING if number is None else _written(number, 0)


def percent(share: float | None, digits: int = 1) -> str:
    """Return a share from 0 to 1 in percent."""
    return MISSING if share is None else _("%(number)s\u00a0%%", number=_written(100 * share, digits))


def decimal(number: float | None, digits: int = 1) -> str:
    """Return a number with that many digits after the point."""
    return MISSING if number is None else _written(number, digits)


def interval(low: float | None, high: float | None) -> str:
    """Return an interval of shares in percent, without the sign."""
    return "" if low is None or high is None else f"{_written(100 * low, 1)}–{_written(100 * high, 1)}"


def between(low: float | None, high: float | None) -> str:
    """Return an interval of numbers."""
    return "" if low is None or high is None else f"{decimal(low)}–{decimal(high)}"


def milliseconds(value: float | None) -> str:
    """Return a duration: under ten seconds in milliseconds."""
    if value is None:
        return ""
    if value < 10_000:
        return _("%(number)s\u00a0ms", number=f"{value:.0f}")
    return _("%(number)s\u00a0s", number=f"{value / 1000:.0f}")


def megabytes(number: int) -> str:
    """Return a size in whole megabytes of a million bytes."""
    return _("%(number)s\u00a0MB", number=_written(number / 1_000_000, 0))


def size(number: int) -> str:
    """Return a size in the largest unit that leaves a number of one or more."""
    if number < 1000:
        return _("%(number)s\u00a0bytes", number=number)
    value, units = (
        number / 1000,
        [N_("%(number)s\u00a0kB"), N_("%(number)s\u00a0MB"), N_("%(number)s\u00a0GB")],
    )
    while value >= 1000 and len(units) > 1:
        value, units = value / 1000, units[1:]
    return _(units[0], number=_written(value, 1))


def seconds(value: float) -> str:
    """Return a wait in words that people use."""
    whole = max(1, round(value))
    if whole < 120:
        return _("%(number)s\u00a0s", number=whole)
    return ngettext("%(num)s\u00a0minute", "%(num)s\u00a0minutes", round(whole / 60))


def moment(when: datetime | None) -> TimeView | None:
    """Return day and time, UTC."""
    return None if when is None else TimeView(day_and_time(when), when.isoformat())


def day(when: datetime | None) -> TimeView | None:
    """Return the day alone."""
    return (
        None
        if when is None
        else TimeView(_dated(when, pgettext("date pattern", "d MMM y")), when.isoformat())
    )


def day_and_time(when: datetime) -> str:
    """Return day and time in words."""
    return _dated(when, pgettext("date pattern", "d MMM HH:mm"))


def day_and_seconds(when: datetime) -> str:
    """Return day and time to the second in words."""
    return _dated(when, pgettext("date pattern", "d MMM HH:mm:ss"))


def day_of_year(when: datetime) -> str:
    """Return day and month in words."""
    return _dated(when, pgettext("date pattern", "d MMM"))


def conjunction(names: Iterable[str]) -> str:
    """Return names as one part of a sentence, the last joined by a word."""
    return reduce(lambda some, last: _("%(some)s and %(last)s", some=some, last=last), names)


def rate(figure: Rate) -> RateView:
    """Return a rate of the leaderboard as it is printed."""
    note = service_words(figure.reason or "")
    if isinstance(figure, ProjectedRate) and figure.not_checked:
        names = conjunction(_(STRATA.get(name, name)) for name in figure.not_checked)
        note = "; ".join(part for part in (_("not checked: %(verdicts)s", verdicts=names), note) if part)
    return RateView(
        value=percent(figure.value),
        interval=interval(figure.low, figure.high),
        n=count(figure.n),
        note=note,
        share=figure.value,
        low=figure.low,
        high=figure.high,
    )


def short_id(identity: str) -> str:
    """Return what tells an id from others: its end, since ids begin with the time at which they were made."""
    return identity[-8:]


def _written(number: float, digits: int) -> str:
    """Return a number with thousands separators, rounded as Python rounds."""
    return _in_format(str(locale()), f"{number:.{digits}f}", digits)


@lru_cache(maxsize=10_000)
def _in_format(code: str, number: str, digits: int) -> str:
    return str(_pattern(code, digits).apply(Decimal(number), Locale.parse(code)))


@lru_cache
def _pattern(code: str, digits: int) -> NumberPattern:
    whole = Locale.parse(code).decimal_formats[None].pattern.partition(".")[0]
    return parse_pattern(whole + ("." + "0" * digits if digits else ""))


def _dated(when: datetime, pattern: str) -> str:
    return format_datetime(when, pattern, locale=locale())
