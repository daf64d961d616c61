"""View of one task: its goal, its rounds with figures, and the models that fit."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from dynabench_client.results.annotation import OwnersContext, Round, TaskModel
from dynabench_client.results.leaderboard import RoundFigures

from web.kit.language import _, ngettext
from web.kit.numbers import count
from web.kit.rounds import RoundView, round_view
from web.kit.tries_line import TriesLine, tries_line


@dataclass(frozen=True)
class RoundRow:
    """A round with its tries; None if they can't be read."""

    round: RoundView
    tries: TriesLine | None


@dataclass(frozen=True)
class ModelView:
    """A served model that fits the task."""

    name: str
    state: str
    is_ready: bool
    in_the_loop: bool


@dataclass(frozen=True)
class StockView:
    """The contexts of a round: their number, and the number of unused ones."""

    round: RoundView
    contexts: str
    used: str
    unused: str


def round_rows(rounds: Sequence[Round], boards: Mapping[str, RoundFigures]) -> list[RoundRow]:
    """Return the rounds, each with its tries if `boards` has them."""
    return [
        RoundRow(round_view(found), tries_line(board) if (board := boards.get(found.round_id)) else None)
        for found in rounds
    ]


def model_views(models: Sequence[TaskModel]) -> list[ModelView]:
    """Return the models that fit, by name."""
    return [
        ModelView(
            model.name,
            _("ready") if model.ready else _("starts on request"),
            model.ready,
            model.in_the_loop,
        )
        for model in sorted(models, key=lambda model: model.name)
    ]


def stock_view(found: Round, contexts: Sequence[OwnersContext], *, is_whole: bool) -> StockView:
    """Return the number of unused contexts; for an incomplete list, the number among those read."""
    usable = [context for context in contexts if not context.is_withdrawn]
    used = sum(context.use_count > 0 for context in usable)

    def formatted(number: int) -> str:
        return count(number) if is_whole else _of_the_first(number, len(usable))

    return StockView(
        round_view(found),
        count(len(usable) if is_whole else found.contexts),
        formatted(used),
        formatted(len(usable) - used),
    )


def _of_the_first(number: int, looked_at: int) -> str:
    return ngettext(
        "%(number)s of the first %(shown)s\u00a0context",
        "%(number)s of the first %(shown)s\u00a0contexts",
        looked_at,
        number=count(number),
        shown=count(looked_at),
    )
