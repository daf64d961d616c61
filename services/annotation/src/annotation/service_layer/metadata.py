"""Under which circumstances an author is asked for metadata."""

from dynabench_common.values import Value

from annotation.domain.configuration.metadata import Circumstances
from annotation.domain.round import Round
from annotation.domain.verdict import Verdict


def circumstances_of(verdict: Verdict | None, claimed: Value | None, round_: Round) -> Circumstances:
    """Return what decides which metadata fields a try is asked for, also before its verdict is known."""
    labels = [claimed] if isinstance(claimed, str) else list(claimed) if isinstance(claimed, list) else []
    decided = frozenset() if verdict is None else frozenset({verdict.value})
    words = {"verdict": decided, "claimed": frozenset(labels)}
    return Circumstances(words, round_.number)
