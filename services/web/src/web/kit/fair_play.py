"""View of an owner's decision about a paid person, as the owner and the person see it."""

from dataclasses import dataclass

from dynabench_client.results.crowd import FairPlay

from web.kit.numbers import TimeView, moment

EXCLUDED = "excluded"
LONGEST_REASON = 1000


@dataclass(frozen=True)
class DecisionView:
    """The owner's decision, the person's appeal and its answer; empty texts before."""

    is_excluded: bool
    reason: str
    decided: TimeView | None
    appeal: str
    appealed: TimeView | None
    answer: str


def decision_view(found: FairPlay | None) -> DecisionView | None:
    """Return the view of a decision, if there is one."""
    if found is None:
        return None
    return DecisionView(
        is_excluded=found.decision == EXCLUDED,
        reason=found.reason,
        decided=moment(found.decided_at),
        appeal=found.appeal or "",
        appealed=moment(found.appealed_at),
        answer=found.answer or "",
    )
