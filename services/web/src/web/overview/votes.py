"""Agreement of votes on a round, and the number of votes it needs."""

from typing import Any

from dynabench_client import Dynabench

from web.kit.owned_round import OwnedRound
from web.kit.parallel import page_reads
from web.overview.agreement import advice_view, agreement_view, estimate_sentence
from web.overview.figures import segment_names


def read(client: Dynabench, owned: OwnedRound, by: str) -> dict[str, Any]:
    """Return the page's values, with agreement split `by`; nothing is read about a draft."""
    if owned.is_draft:
        return {}
    asked, round_id, reads = client.validation, owned.round_id, page_reads()
    agreed = reads.read(asked.agreement, round_id, by)
    estimated = reads.read(asked.human_estimate, round_id)
    advised = reads.read(asked.votes_advice, round_id)
    agreement = agreed.value()
    # Agreement names segments by their ids; one segment, or any other part, needs no names.
    has_segments = by == "segment" and agreement is not None and len(agreement.groups) > 1
    board = reads.read(client.leaderboard.round, round_id).value() if has_segments else None
    estimate, advice = estimated.value(), advised.value()
    return {
        "agreement": None if agreement is None else agreement_view(agreement, segment_names(board)),
        "estimate": None if estimate is None else estimate_sentence(estimate),
        "advice": None if advice is None else advice_view(advice),
    }
