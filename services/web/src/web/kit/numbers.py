"""Numbers, shares and times as they are printed."""

from dataclasses import dataclass
from datetime import datetime

from dynabench_client.results.rates import Rate

NO_BREAK = "\u00a0"
MISSING = "–"


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
        """Tell whether there is a share."""
        return self.share is not None


@dataclass(frozen=True)
class TimeView:
    """A moment for people and for programs."""

    words: str
    iso: str


def count(number: float | None) -> str:
    """Return a whole number with its thousands apart."""
    return MISSING if number is None else f"{number:,.0f}"


def percent(share: float | None, digits: int = 1) -> str:
    """Return a share from 0 to 1 in percent."""
    return MISSING if share is None else f"{100 * share:.{digits}f}{NO_BREAK}%"


def decimal(number: float | None, digits: int = 1) -> str:
    """Return a number with that many digits after the point."""
    return MISSING if number is None else f"{number:,.{digits}f}"


def interval(low: float | None, high: float | None) -> str:
    """Return an interval of shares in percent, without the sign."""
    return "" if low is None or high is None else f"{100 * low:.1f}–{100 * high:.1f}"


def milliseconds(value: float | None) -> str:
    """Return a duration: under ten seconds in milliseconds."""
    if value is None:
        return ""
    return f"{value:.0f}{NO_BREAK}ms" if value < 10_000 else f"{value / 1000:.0f}{NO_BREAK}s"


def megabytes(number: int) -> str:
    """Return a size in whole megabytes of a million bytes."""
    return f"{number / 1_000_000:,.0f}{NO_BREAK}MB"


def size(number: int) -> str:
    """Return a size in the largest unit that leaves a number of one or more."""
    value, units = float(number), ["bytes", "kB", "MB", "GB"]
    while value >= 1000 and len(units) > 1:
        value, units = value / 1000, units[1:]
    return f"{value:,.1f}{NO_BREAK}{units[0]}" if units[0] != "bytes" else f"{number}{NO_BREAK}bytes"


def seconds(value: float) -> str:
    """Return a wait in words that people use."""
    whole = max(1, round(value))
    if whole < 120:
        return f"{whole}{NO_BREAK}s"
    return f"{round(whole / 60)}{NO_BREAK}minutes"


def moment(when: datetime | None) -> TimeView | None:
    """Return day and time, UTC."""
    return None if when is None else TimeView(f"{when.day} {when:%b %H:%M}", when.isoformat())


def day(when: datetime | None) -> TimeView | None:
    """Return the day alone."""
    return None if when is None else TimeView(f"{when.day} {when:%b %Y}", when.isoformat())


def rate(figure: Rate) -> RateView:
    """Return a rate of the leaderboard as it is printed."""
    note = figure.reason or ""
    if figure.not_checked:
        names = " and ".join(name.replace("_", " ") for name in figure.not_checked)
        note = "; ".join(part for part in (f"not checked: {names}", note) if part)
    return RateView(
        value=percent(figure.value),
        interval=interval(figure.low, figure.high),
        n=count(figure.n),
        note=note,
        share=figure.value,
        low=figure.low,
        high=figure.high,
    )


def plural(number: int, one: str, many: str | None = None) -> str:
    """Return a count with its noun."""
    return f"{count(number)}{NO_BREAK}{one if number == 1 else many or one + 's'}"


def short_id(identity: str) -> str:
    """Return what tells an id from others: its end, since ids begin with the time at which they were made."""
    return identity[-8:]
