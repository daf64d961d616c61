"""Agreement of people on the newest round of a board, for comparison with the models."""

from collections.abc import Sequence
from dataclasses import dataclass

from dynabench_client.results.annotation import Round
from dynabench_client.results.leaderboard import ModelBoard

from web.kit.dependencies import platform
from web.kit.language import _
from web.kit.numbers import RateView, rate
from web.kit.parallel import page_reads
from web.kit.service_words import service_words


@dataclass(frozen=True)
class PeopleView:
    """The agreement of one person with the others on a round; `reason` explains a missing value."""

    number: int
    address: str
    rate: RateView
    votes: int
    reason: str


def people_on(board: ModelBoard, rounds: Sequence[Round]) -> PeopleView | None:
    """Return the agreement on the newest scored round of the board; None if it can't be read."""
    scored = {each.round_number for each in board.datasets if each.share > 0}
    found = max(
        (each for each in rounds if each.number in scored),
        key=lambda each: each.number,
        default=None,
    )
    if found is None:
        return None
    estimate = page_reads().read(platform().validation.human_estimate, found.round_id).value()
    if estimate is None:
        return None
    missing = estimate.agreement.reason or estimate.reason or ""
    return PeopleView(
        found.number,
        f"/rounds/{found.round_id}",
        rate(estimate.agreement),
        estimate.n_votes,
        service_words(missing) or _("there are too few votes"),
    )
