"""Stop parts and check in a real Prometheus that the shipped alerts fire, and end once the part is back.

An hour of the rules is six minutes here: durations are divided by FACTOR, thresholds are as shipped. At the end every
metric that rules and dashboards name must have been seen, and every query of the dashboards must be answered.
"""

import shutil
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime

from tests.faults.load import Load
from tests.faults.watcher import PROGRAM, Prometheus, named_in, panels, prometheus, shipped_rules
from tests.figures import Figure, at_least, at_most, plain
from tests.own_platform import OwnPlatform, console

FACTOR = 10
"""Upper bound: above it the window of `NoSyntheticTries` is shorter than the minute between two synthetic tries."""
CALM_SECONDS = 60
FIRES_SECONDS, ENDS_SECONDS = 180.0, 300.0
LOOK_SECONDS = 0.5
AS_SLOW_AS_THE_MACHINE = {"VerdictsLate", "EventsLate"}
"""Pages that fire on a busy machine without a fault."""
NOT_YET = {
    "dynabench_dead_letters": "no consumer gave an event up",
    "dynabench_evaluations_waiting": "no evaluation is asked for while the alerts are tried",
    "dynabench_submissions_checking": "no model is submitted while the alerts are tried",
}
"""Metrics without a series while there is no event."""
EMPTY_PANELS = {
    "Evaluations that have not ended, by state": "dynabench_evaluations_waiting",
    "Submissions that are checked, by step": "dynabench_submissions_checking",
}
"""Panels that show nothing, since their one metric has no series yet."""
Labels = Mapping[str, str]


@dataclass(frozen=True)
class Fault:
    """A part that is stopped until the alerts in `fires` do, and then restarted; those in `later` fire after that.

    `follows` names other pages that may fire meanwhile or during the catch-up.
    """

    part: str
    fires: tuple[Labels, ...]
    later: tuple[Labels, ...] = ()
    follows: frozenset[str] = frozenset()


FAULTS = (
    Fault("leaderboard-worker", ({"alertname": "ProcessDown", "process": "leaderboard-worker"},)),
    Fault(
        "torchserve",
        ({"alertname": "TargetsAway"}, {"alertname": "VerdictsMissing", "window": "1h"}),
        follows=frozenset({"ServerErrors", "VerdictsMissing"}),
    ),
    Fault(
        "postgres",
        (
            {"alertname": "FiguresUnread", "service": "annotation"},
            {"alertname": "ServerErrors", "service": "annotation"},
        ),
        follows=frozenset(
            {
                "FiguresUnread",
                "ServerErrors",
                "VerdictsMissing",
                "ReconcilerSilent",
                "OutboxStuck",
                "PartitionHeld",
                "ConsumerStopped",
            }
        ),
    ),
    Fault(
        "kafka",
        ({"alertname": "OutboxStuck", "service": "annotation"}, {"alertname": "ConsumerStopped"}),
        later=({"alertname": "EventsLate", "window": "1h"},),
        follows=frozenset({"OutboxStuck", "ConsumerStopped"}),
    ),
)


def figures(platform: OwnPlatform) -> Iterator[Figure]:
    """Stop each part in turn, and compare the metrics with those in rules and dashboards."""
    if shutil.which(PROGRAM) is None:
        console.print(
            "SKIPPED, no alert was tried: the program prometheus is not there. "
            "Install it as root: apt-get install --no-install-recommends prometheus"
        )
        return
    load = Load(platform, "alerts-")
    load.start()
    try:
        with prometheus(platform, FACTOR) as watcher:
            yield from _loaded(watcher)
            began = datetime.now(UTC)
            time.sleep(CALM_SECONDS)
            yield _unrelated("nothing disturbed", _pages(watcher, began), frozenset())
            for fault in FAULTS:
                yield from _tried(platform, watcher, fault)
            yield from _answered(watcher)
    finally:
        load.stop()


def _loaded(watcher: Prometheus) -> Iterator[Figure]:
    """Return whether every group is loaded, with every rule."""
    shipped = {
        group["name"]: len(group["rules"]) for file in shipped_rules().values() for group in file["groups"]
    }
    held = {group["name"]: len(group["rules"]) for group in watcher.groups()}
    yield plain("groups of rules", len(shipped), "")
    yield plain("rules in them", sum(shipped.values()), "")
    yield at_most("groups of rules not loaded whole", len(shipped.items() - held.items()), "", 0)


def _pages(watcher: Prometheus, since: datetime) -> list[Labels]:
    """Return the labels of the pages that fire since then."""
    return [
        alert["labels"]
        for alert in watcher.firing()
        if alert["labels"]["severity"] == "page" and datetime.fromisoformat(alert["activeAt"]) >= since
    ]


def _unrelated(name: str, pages: Sequence[Labels], related: frozenset[str]) -> Figure:
    wrong = [
        labels
        for labels in pages
        if labels["alertname"] not in related and labels["alertname"] not in AS_SLOW_AS_THE_MACHINE
    ]
    for labels in wrong:
        console.print(f"{name}: fired without having to do with it: {dict(labels)}")
    return at_most(f"{name}: pages that have nothing to do with it", len(wrong), "", 0)


@dataclass
class Watch:
    """Alerts that fired since a part was stopped, with start and end of the expected ones."""

    watcher: Prometheus
    awaited: tuple[Labels, ...]
    since: datetime = field(default_factory=lambda: datetime.now(UTC))
    fired: dict[int, float] = field(default_factory=dict)
    ended: dict[int, float] = field(default_factory=dict)
    pages: dict[str, Labels] = field(default_factory=dict)

    def until(self, holds: Callable[[], bool], seconds: float) -> None:
        """Poll until a condition holds, or the time is over."""
        deadline = time.monotonic() + seconds
        while not holds() and time.monotonic() < deadline:
            self.look()
            time.sleep(LOOK_SECONDS)

    def look(self) -> None:
        """Record the firing alerts."""
        now = time.monotonic()
        firing = [alert["labels"] for alert in self.watcher.firing()]
        self.pages.update({str(labels): labels for labels in _pages(self.watcher, self.since)})
        for number, wanted in enumerate(self.awaited):
            if any(wanted.items() <= labels.items() for labels in firing):
                self.fired.setdefault(number, now)
                self.ended.pop(number, None)
            elif number in self.fired:
                self.ended.setdefault(number, now)

    def forget(self, numbers: Sequence[int]) -> None:
        """Count the alerts at these places as not fired yet."""
        for number in numbers:
            self.fired.pop(number, None)
            self.ended.pop(number, None)


def _tried(platform: OwnPlatform, watcher: Prometheus, fault: Fault) -> Iterator[Figure]:
    """Stop a part until its alerts fire, restart it, and wait until they have ended."""
    awaited = (*fault.fires, *fault.later)
    yield from _quiet(watcher, fault.part, awaited)
    watch = Watch(watcher, awaited)
    early, later = range(len(fault.fires)), range(len(fault.fires), len(awaited))
    away = time.monotonic()
    platform.stack.supervisor.stop_part(fault.part)
    watch.until(lambda: all(number in watch.fired for number in early), FIRES_SECONDS)
    watch.forget(later)
    back = time.monotonic()
    platform.stack.supervisor.start_part(fault.part)
    ending = {*watch.fired, *later}
    watch.until(lambda: watch.ended.keys() >= ending, ENDS_SECONDS)
    console.print(f"{fault.part} was away for {back - away:.0f} s")
    yield from _alert_figures(fault.part, watch, away, back)
    own = [labels for labels in watch.pages.values() if not _is_awaited(labels, awaited)]
    yield _unrelated(f"{fault.part} away", own, fault.follows)


def _alert_figures(part: str, watch: Watch, away: float, back: float) -> Iterator[Figure]:
    """Yield the times at which each expected alert fired and ended; an end before the restart is an error."""
    for number, labels in enumerate(watch.awaited):
        name = f"{part} away: {_called(labels)}"
        yield at_most(f"{name} did not fire", number not in watch.fired, "", 0)
        yield at_most(f"{name} did not end", number not in watch.ended, "", 0)
        if number not in watch.fired:
            console.print(f"{name} did not fire")
        elif number not in watch.ended:
            console.print(f"{name} did not end within {ENDS_SECONDS:.0f} s of the return")
        else:
            fired, ended = watch.fired[number] - away, watch.ended[number] - back
            console.print(f"{name} fired after {fired:.0f} s, ended {ended:.0f} s after the return (n = 1)")
            yield plain(f"{name} fired after", fired, "s")
            yield at_least(f"{name} ended after the return", ended, "s", 0)


def _quiet(watcher: Prometheus, part: str, awaited: Sequence[Labels]) -> Iterator[Figure]:
    """Wait until no expected alert fires from an earlier fault; return the number of those that still do."""
    deadline = time.monotonic() + ENDS_SECONDS
    while True:
        still = [alert["labels"] for alert in watcher.firing() if _is_awaited(alert["labels"], awaited)]
        if not still or time.monotonic() > deadline:
            break
        time.sleep(LOOK_SECONDS)
    for labels in still:
        console.print(f"{part} is about to be taken away, but fires already: {dict(labels)}")
    yield at_most(f"{part} away: awaited alerts that fired already before", len(still), "", 0)


def _called(labels: Labels) -> str:
    others = [value for key, value in labels.items() if key != "alertname"]
    return " ".join([labels["alertname"], *others])


def _is_awaited(labels: Labels, awaited: Sequence[Labels]) -> bool:
    return any(wanted.items() <= labels.items() for wanted in awaited)


def _answered(watcher: Prometheus) -> Iterator[Figure]:
    """Yield the number of unseen metrics, refused queries and empty panels."""
    rules = [rule for file in shipped_rules().values() for group in file["groups"] for rule in group["rules"]]
    shown = panels()
    queries = [query for each in shown.values() for query in each]
    named = named_in([*queries, *(rule["expr"] for rule in rules)])
    named |= {rule["record"] for rule in rules if "record" in rule}
    missing = named - watcher.metric_names()
    for name in sorted(missing):
        reason = NOT_YET.get(
            name, "nothing shows it under this name; mend the name, or give a reason in NOT_YET"
        )
        console.print(f"{name} has no series: {reason}")
    yield plain("metrics and recorded series that rules and dashboards name", len(named), "")
    yield plain("of them without a series yet, for a reason", len(missing & NOT_YET.keys()), "")
    yield at_most("of them without a series, for no reason", len(missing - NOT_YET.keys()), "", 0)
    broken = [rule for group in watcher.groups() for rule in group["rules"] if rule["health"] != "ok"]
    for rule in broken:
        console.print(f"{rule['name']} can't be evaluated: {rule.get('lastError')}")
    yield at_most("rules that can't be evaluated", len(broken), "", 0)
    yield from _panels(watcher, shown, missing)


def _panels(watcher: Prometheus, shown: Mapping[str, list[str]], missing: set[str]) -> Iterator[Figure]:
    refused, empty = 0, set()
    for title, queries in shown.items():
        for query in queries:
            try:
                count = watcher.value_count(query)
            except ValueError as err:
                console.print(f"the query of {title!r} is refused: {err}")
                refused += 1
            else:
                empty |= set() if count else {title}
    reasoned = {title for title in empty if EMPTY_PANELS.get(title) in missing}
    for title in sorted(empty - reasoned):
        console.print(f"{title!r} shows nothing")
    yield plain("panels of the dashboards", len(shown), "")
    yield at_most("queries of panels that Prometheus refuses", refused, "", 0)
    yield at_most("panels that show nothing, for no reason", len(empty - reasoned), "", 0)
