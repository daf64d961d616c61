"""View of a person's badges: earned ones by day, and the next ones."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time

from dynabench_client.results.leaderboard import Badge, BadgeProgress, OwnBadges
from markupsafe import Markup

from web.kit import isolation
from web.kit.badge_drawings import badge_drawing
from web.kit.language import N_, _, ngettext
from web.kit.numbers import TimeView, count, day

NAMES: Mapping[str, str] = {
    "first_example": N_("First text"),
    "ten_examples": N_("Ten texts"),
    "first_vote": N_("First vote"),
    "first_validated_fooling": N_("First confirmed error"),
    "contributor_bronze": N_("Bronze contributor"),
    "contributor_silver": N_("Silver contributor"),
    "contributor_gold": N_("Gold contributor"),
    "contributor_platinum": N_("Platinum contributor"),
    "contributor_diamond": N_("Diamond contributor"),
    "weekly_winner": N_("Most confirmed errors in a week"),
    "every_task": N_("A text in every task"),
    "model_builder": N_("First published model"),
    "serial_model_builder": N_("Two published models"),
    "model_multitasker": N_("A model in every task"),
    "state_of_the_art": N_("Best model on a round"),
}
FOOLING_STREAK, DAY_STREAK = "fooling_streak_", "day_streak_"


@dataclass(frozen=True)
class BadgeView:
    """An earned badge; `place` is its task, round or week."""

    name: str
    drawing: Markup
    place: str
    address: str
    earned: TimeView | None


@dataclass(frozen=True)
class ProgressView:
    """Progress towards a badge."""

    name: str
    drawing: Markup
    place: str
    reached: int
    needed: int
    words: str


@dataclass(frozen=True)
class BadgesView:
    """Earned badges, and the next ones, the nearest first."""

    earned: Sequence[BadgeView]
    next: Sequence[ProgressView]


def badges_view(found: OwnBadges) -> BadgesView:
    """Return the view of a person's badges."""
    ahead = sorted(found.next, key=lambda each: each.reached / each.needed, reverse=True)
    return BadgesView(badge_views(found.items), [_progress(each) for each in ahead])


def badge_views(found: Iterable[Badge]) -> list[BadgeView]:
    """Return the views of earned badges, in the same order."""
    return [_badge(each) for each in found]


def badge_name(name: str) -> str:
    """Return the label of a badge; an unknown badge keeps its own name."""
    if name.startswith(FOOLING_STREAK):
        number = int(name.removeprefix(FOOLING_STREAK))
        return ngettext("Fooled %(num)s time in a row", "Fooled %(num)s times in a row", number)
    if name.startswith(DAY_STREAK):
        number = int(name.removeprefix(DAY_STREAK))
        return ngettext("Active %(num)s day in a row", "Active %(num)s days in a row", number)
    return _(NAMES[name]) if name in NAMES else name


def _badge(found: Badge) -> BadgeView:
    place: str = isolation.name(found.task_title)
    if found.week:
        place = _("%(task)s, week %(week)s", task=place, week=found.week)
    return BadgeView(
        name=badge_name(found.name),
        drawing=badge_drawing(found.name),
        place=place,
        address=_address(found),
        earned=day(_midnight(found.earned_on)),
    )


def _address(found: Badge) -> str:
    """Return the address of the task or round that earned the badge."""
    if found.round_id:
        return f"/rounds/{found.round_id}"
    return f"/tasks/{found.task_slug}" if found.task_slug else ""


def _midnight(when: date) -> datetime:
    return datetime.combine(when, time(), UTC)


def _progress(found: BadgeProgress) -> ProgressView:
    words = _("%(reached)s of %(needed)s", reached=count(found.reached), needed=count(found.needed))
    return ProgressView(
        name=badge_name(found.name),
        drawing=badge_drawing(found.name),
        place=found.task_title or "",
        reached=found.reached,
        needed=found.needed,
        words=words,
    )
