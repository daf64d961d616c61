"""Effort of fooling a round's targets."""

from collections.abc import Sequence
from dataclasses import dataclass

from dynabench_client.results.leaderboard import Effort

from web.kit import isolation
from web.kit.language import _
from web.kit.numbers import between, count, decimal
from web.kit.service_words import service_words


@dataclass(frozen=True)
class EffortRow:
    """Effort of fooling a target; notes give the reason for a missing number."""

    name: str
    tries: str
    tries_n: str
    tries_interval: str
    tries_note: str
    minutes: str
    minutes_n: str
    minutes_note: str


def effort_rows(efforts: Sequence[Effort]) -> list[EffortRow]:
    """Return the efforts, the rule's first."""
    return [_row(effort) for effort in shown_efforts(efforts)]


def shown_efforts(efforts: Sequence[Effort]) -> list[Effort]:
    """Return the informative efforts, the rule's first; a single target is left out, because it equals the rule."""
    targets = [effort for effort in efforts if effort.target is not None]
    rule = [effort for effort in efforts if effort.target is None]
    return rule + targets if len(targets) > 1 or not rule else rule


def effort_name(effort: Effort) -> str:
    """Return the target's name, or the label of the rule over all targets."""
    return effort.target or _("Round's rule")


def _row(effort: Effort) -> EffortRow:
    tries, minutes = effort.tries_per_fooling, effort.minutes_per_validated_error
    return EffortRow(
        name=isolation.name(effort.target) or effort_name(effort),
        tries=decimal(tries.value),
        tries_n=count(tries.n) if tries.value is not None else "",
        tries_interval=between(tries.low, tries.high),
        tries_note=service_words(tries.reason or ""),
        minutes=decimal(minutes.value),
        minutes_n=count(minutes.n) if minutes.value is not None else "",
        minutes_note=service_words(minutes.reason or ""),
    )
