"""Authors of a round, their amount of work, and the properties of the texts."""

from typing import Any

from dynabench_client import Dynabench

from web.kit.charts.balance import balance
from web.kit.charts.over_time import effort_over_time
from web.kit.numbers import moment
from web.kit.owned_round import OwnedRound
from web.kit.parallel import page_reads
from web.overview.effort import effort_rows
from web.overview.figures import cohort_rows, people_lines
from web.overview.survival import survival


def read(client: Dynabench, owned: OwnedRound, _by: str) -> dict[str, Any]:
    """Return the page's values; nothing is read about a draft."""
    if owned.is_draft:
        return {}
    reads, round_id = page_reads(), owned.round_id
    stood = reads.read(client.leaderboard.standing, round_id)
    worked = reads.read(client.leaderboard.effort, round_id)
    past = reads.read(client.leaderboard.history, round_id)
    collected = reads.read(client.annotation.collection, round_id)
    standing, effort, collection = stood.value(), worked.value(), collected.value()
    history = past.value()
    charts = [
        effort_over_time(history.points) if history else None,
        survival(effort) if effort else None,
        balance(standing.labels.claimed, standing.labels.gold) if standing else None,
    ]
    return {
        "people": people_lines(standing, collection),
        "cohorts": cohort_rows(standing.cohorts) if standing else [],
        "efforts": None if effort is None else effort_rows(effort),
        "charts": [chart for chart in charts if chart],
        "as_of": None if standing is None else moment(standing.as_of),
    }
