"""Change of a round's targets since a person's last try, so that the page can point it out."""

from collections.abc import Sequence
from dataclasses import dataclass

from dynabench_client.results.annotation import Example

from web.kit.numbers import conjunction


@dataclass(frozen=True)
class ChangedTargets:
    """Models that joined and models that left since the previous try; either may be empty."""

    joined: str
    left: str


def changed_targets(
    newest: Sequence[Example], verdict: Example | None, targets: Sequence[str]
) -> ChangedTargets | None:
    """Return the change of targets before the shown try, else the change since that try; None if there is none.

    `newest` are the person's tries in the round, the newest first; `targets` are the round's present ones. Tries
    without an asked model are ignored.
    """
    asked = [_targets_of(example) for example in newest if example.answers]
    if verdict is not None:
        older = [each for each in newest if each.created_at < verdict.created_at]
        before = next((_targets_of(example) for example in older if example.answers), None)
        own = _targets_of(verdict)
        if own and before and set(own) != set(before):
            return _change(before, own)
    return _change(asked[0], targets) if asked and targets else None


def _targets_of(example: Example) -> list[str]:
    return [answer.target for answer in example.answers]


def _change(before: Sequence[str], now: Sequence[str]) -> ChangedTargets | None:
    joined = [name for name in now if name not in before]
    left = [name for name in before if name not in now]
    return ChangedTargets(_names(joined), _names(left)) if joined or left else None


def _names(names: Sequence[str]) -> str:
    return conjunction(names) if names else ""
