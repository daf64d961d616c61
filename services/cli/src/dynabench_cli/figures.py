"""Figures of rounds as words: a share is shown in percent with its interval, or with the reason it lacks one."""

from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from typing import Any, TypeVar

from dynabench_client.errors import ProblemError
from dynabench_client.platform import Dynabench
from dynabench_client.results.annotation import Round
from dynabench_client.results.base import Result
from dynabench_client.results.leaderboard import Figures, Headline, Measure, ProjectedRate, Rate, RoundFigures
from dynabench_client.results.validation import Agreement, AgreementFigures

AnyResult = TypeVar("AnyResult", bound=Result)
NOT_FOUND = 404
MEASURES = {
    "raw": "raw agreement",
    "fleiss_kappa": "Fleiss' kappa",
    "krippendorff_alpha": "Krippendorff's alpha",
    "gwet_ac1": "Gwet's AC1",
}


def rate(figure: Rate) -> str:
    """Return a share with what it is of, such as "25.7 % of 183 (22.9-28.8)"."""
    if figure.value is None:
        return figure.reason or "–"
    text = f"{figure.value * 100:.1f} % of {figure.n}"
    if figure.low is not None and figure.high is not None:
        text += f" ({figure.low * 100:.1f}-{figure.high * 100:.1f})"
    elif figure.reason:
        text += f" ({figure.reason})"
    if isinstance(figure, ProjectedRate) and figure.not_checked:
        text += f", not checked: {', '.join(figure.not_checked)}"
    return text


def fooled(figures: Headline) -> int | str:
    """Return the number of tries that fooled, or "unknown" if authors claimed nothing."""
    return figures.fooled if figures.is_fooled_known else "unknown"


def vmer(figures: Headline) -> str:
    """Return vMER; while votes are missing, also its possible range, such as "40.0 % of 105 now; ..."."""
    now, still = rate(figures.vmer), figures.vmer_range
    if not still.pending or still.low is None or still.high is None:
        return now
    ends = f"{still.low * 100:.1f}-{still.high * 100:.1f} %"
    return f"{now} now; {ends} when the {still.pending} being checked are in"


def resolved(figures: Figures) -> str:
    """Return how many tries are resolved, and how many of those fooled."""
    return (
        f"{figures.resolved} of {figures.tries} tries, {figures.validity.n} of them fooled and got an answer"
    )


def lines(figures: RoundFigures) -> dict[str, object]:
    """Return counts and rates under their names."""
    return {
        "tries": figures.tries,
        "with a verdict": figures.decided,
        "undecided": figures.undecided,
        "unknown": figures.unknown,
        "without model": figures.no_target,
        "fooled": fooled(figures),
        "retracted": figures.retracted,
        "votes": figures.votes,
        "checked": resolved(figures),
        "being checked": figures.pending,
        "confirmed errors": figures.validated_errors,
        "fool rate": rate(figures.mer),
        "confirmed fool rate": vmer(figures),
        "confirmed fool rate (projected)": rate(figures.vmer_projected),
        "validity": rate(figures.validity),
    }


def agreement_lines(figures: AgreementFigures) -> dict[str, object]:
    """Return how far votes agree, measure by measure."""
    return {name: measure(getattr(figures, field)) for field, name in MEASURES.items()}


def measure(figure: Measure) -> str:
    """Return a measured number, such as "0.616", or why it is missing."""
    return figure.reason or "–" if figure.value is None else f"{figure.value:.3f}"


def known(read: Callable[[], AnyResult]) -> AnyResult | None:
    """Return a service's answer about a round; None if the service does not know the round yet."""
    try:
        return read()
    except ProblemError as err:
        if err.status != NOT_FOUND:
            raise
        return None


def figures_of(client: Dynabench, round_id: str) -> RoundFigures:
    """Return a round's figures; empty ones if the leaderboard does not know the round yet."""
    return known(lambda: client.leaderboard.round(round_id)) or RoundFigures.blank(
        round_id=round_id, as_of=datetime.now(UTC)
    )


def agreement_of(client: Dynabench, round_id: str) -> Agreement:
    """Return the agreement of a round's votes; unknown if validation does not know the round yet."""
    return known(lambda: client.validation.agreement(round_id)) or Agreement.blank(round_id=round_id)


def merged(one: Round, figures: RoundFigures, agreement: Agreement) -> Mapping[str, Any]:
    """Return the round with its figures and the measures of agreement in one document.

    `targets` are the round's target names; the figures of each are `target_figures`, of each segment `segments`.
    """
    counted = figures.document()
    target_figures = counted.pop("targets", [])
    described = one.document()
    described.pop("segments", None)
    measures = {field: value for field, value in agreement.document().items() if field in MEASURES}
    return {**counted, **described, "target_figures": target_figures, "agreement": measures}
