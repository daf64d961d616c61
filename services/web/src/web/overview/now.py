"""Present state of a round for its owner: open work, possible actions, figures, and advice on the next round."""

from datetime import UTC, datetime
from typing import Any

from dynabench_client import Dynabench

from web.kit.numbers import moment
from web.kit.owned_round import OwnedRound
from web.kit.parallel import page_reads
from web.kit.round_actions import actions, needs
from web.kit.rounds import figures_view, opened_at
from web.overview.figures import backlog_sentence, next_round_view, not_asked_sentence


def read(client: Dynabench, owned: OwnedRound, _by: str) -> dict[str, Any]:
    """Return the page's values; nothing is read about a draft, and a released round has no open work."""
    if owned.is_draft:
        return {"asks": False, "actions": actions(owned.round)}
    reads, round_id, asks = page_reads(), owned.round_id, owned.round.state != "released"
    waiting = reads.read(client.validation.work_counts, round_id) if asks else None
    votes = reads.read(client.validation.counts, round_id) if asks else None
    board = reads.read(client.leaderboard.round, round_id)
    evidence = reads.read(client.leaderboard.next_round, round_id)
    work, figures, next_round = waiting.value() if waiting else None, board.value(), evidence.value()
    counted = votes.value() if votes else None
    return {
        "asks": asks,
        "not_asked": "" if counted is None else not_asked_sentence(counted),
        "needs": None if work is None else needs(work, owned.round),
        "backlog": None if work is None else backlog_sentence(work, datetime.now(UTC)),
        "actions": actions(owned.round),
        "figures": None if figures is None else figures_view(figures),
        "opened": None if figures is None else moment(opened_at(figures)),
        "as_of": None if figures is None else moment(figures.as_of),
        "next_round": None if next_round is None else next_round_view(next_round),
    }
