"""Figures of rounds as words: a share is shown in percent with its interval, or with the reason it lacks one."""

from collections.abc import Mapping
from typing import Any

from dynabench_client.errors import ProblemError
from dynabench_client.platform import Dynabench
from dynabench_client.results.annotation import Round
from dynabench_client.results.leaderboard import Figures, Rate, RoundFigures

NOT_FOUND = 404


def rate(figure: Rate) -> str:
    """Return a share, such as "25.7 % (22.9-28.8)"."""
    if figure.value is None:
        return figure.reason or "–"
    text = f"{figure.value * 100:.1f} %"
    if figure.low is not None and figure.high is not None:
        text += f" ({figure.low * 100:.1f}-{figure.high * 100:.1f})"
    elif figure.reason:
        text += f" ({figure.reason})"
    if figure.not_checked:
        text += f", not checked: {', '.join(figure.not_checked)}"
    return text


def lines(figures: Figures) -> dict[str, object]:
    """Return counts and rates under their names."""
    return {
        "tries": figures.tries,
        "fooled": figures.fooled,
        "retracted": figures.retracted,
        "votes": figures.votes,
        "resolved": figures.resolved,
        "pending": figures.pending,
        "validated errors": figures.validated_errors,
        "MER": rate(figures.mer),
        "vMER": rate(figures.vmer),
        "vMER (projected)": rate(figures.vmer_projected),
        "validity": rate(figures.validity),
    }


def figures_of(client: Dynabench, round_id: str) -> RoundFigures:
    """Return a round's figures; a round that the leaderboard has not heard of yet has none so far."""
    try:
        return client.leaderboard.round(round_id)
    except ProblemError as err:
        if err.status != NOT_FOUND:
            raise
        return RoundFigures(round_id=round_id)


def merged(one: Round, figures: RoundFigures) -> Mapping[str, Any]:
    """Return the round with its figures in one document.

    `targets` are the round's target names; the figures of each are `target_figures`, of each segment `segments`.
    """
    counted = figures.document()
    target_figures = counted.pop("targets", [])
    described = one.document()
    described.pop("segments", None)
    return {**counted, **described, "target_figures": target_figures}
