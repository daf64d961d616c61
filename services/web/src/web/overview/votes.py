"""How people's votes on a round agree, and how many votes it takes."""

from typing import Any

from dynabench_client import Dynabench

from web.kit.owned_round import OwnedRound
from web.kit.parallel import page_reads
from web.overview.agreement import advice_view, agreement_view, estimate_sentence
from web.overview.figures import segment_names


def read(client: Dynabench, owned: OwnedRound, by: str) -> dict[str, Any]:
    """Return what the page shows, agreement split `by` parts of the round."""
    asked, round_id, reads = client.validation, owned.round_id, page_reads()
    agreed = reads.read(asked.agreement, round_id, by)
    estimated = reads.read(asked.human_estimate, round_id)
    advised = reads.read(asked.votes_advice, round_id)
    # Agreement names segments by their ids; no other part needs the board.
    board = reads.read(client.leaderboard.round, round_id) if by == "segment" else None
    agreement, estimate, advice = agreed.value(), estimated.value(), advised.value()
    segments = {} if board is None else segment_names(board.value())
    return {
        "agreement": None if agreement is None else agreement_view(agreement, segments),
        "estimate": None if estimate is None else estimate_sentence(estimate),
        "advice": None if advice is None else advice_view(advice),
    }
