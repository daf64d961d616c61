"""Read models that a worker may remove."""

from datetime import UTC, datetime, timedelta

import pytest
from leaderboard.adapters.read_models import BUILDING, DROPPED, REPLACED, STANDING, Build, ReadModel
from leaderboard.adapters.retirement import unused

NOW = datetime(2026, 11, 22, 12, 0, tzinfo=UTC)
NOBODY: frozenset[int] = frozenset()
LONG = timedelta(days=2)
SHORT = timedelta(hours=2)
MOMENT = timedelta(seconds=5)
OWN = 3


def build(
    version: int,
    number: int,
    state: str,
    stood: timedelta | None = None,
    replaced: timedelta | None = None,
) -> Build:
    return Build(
        ReadModel(version, number),
        state,
        {},
        events_read=0,
        events_total=0,
        events_applied=0,
        events_refused=0,
        begun_at=NOW - LONG,
        stood_at=None if stood is None else NOW - stood,
        replaced_at=None if replaced is None else NOW - replaced,
        trouble=None,
    )


REBUILT = build(OWN, 1, REPLACED, LONG, SHORT)
STANDS_LONG, STANDS_SHORT = build(OWN, 9, STANDING, LONG), build(OWN, 9, STANDING, SHORT)
OLD, IN_PUBLIC = build(2, 1, STANDING, LONG), build(2, 0, STANDING, LONG)


@pytest.mark.parametrize(
    ("why", "found", "connected", "removed"),
    [
        ("an older version, a day after the newer one stood", [OLD, STANDS_LONG], NOBODY, True),
        ("not sooner", [OLD, STANDS_SHORT], NOBODY, False),
        ("not while one of its processes is connected", [OLD, STANDS_LONG], frozenset({2}), False),
        ("whoever else is connected", [OLD, STANDS_LONG], frozenset({3}), True),
        ("not while the newer one is being built", [OLD, build(OWN, 9, BUILDING)], NOBODY, False),
        ("an older build that nobody finished", [build(2, 1, BUILDING), STANDS_LONG], NOBODY, True),
        ("what is in public likewise", [IN_PUBLIC, STANDS_LONG], NOBODY, True),
        ("one replaced by a rebuild, after minutes", [REBUILT, STANDS_SHORT], NOBODY, True),
        ("its readers are done first", [build(OWN, 1, REPLACED, LONG, MOMENT), STANDS_SHORT], NOBODY, False),
        ("whoever is connected", [REBUILT, STANDS_SHORT], frozenset({OWN}), True),
        ("in public after a day", [build(OWN, 0, REPLACED, LONG, SHORT), STANDS_LONG], NOBODY, False),
        ("in public after a day, then", [build(OWN, 0, REPLACED, LONG, LONG), STANDS_LONG], NOBODY, True),
        ("nothing of a newer version", [build(4, 1, REPLACED, LONG, LONG), STANDS_LONG], NOBODY, False),
        ("nothing that stands of its own", [STANDS_LONG], NOBODY, False),
        ("nothing twice", [build(2, 1, DROPPED, LONG, LONG), STANDS_LONG], NOBODY, False),
    ],
)
def test_what_is_over_is_removed(
    why: str, found: list[Build], connected: frozenset[int], removed: bool
) -> None:
    assert unused(found, OWN, connected, NOW) == ([found[0].read_model] if removed else []), why
