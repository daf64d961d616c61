"""Conditions under which an author is asked for metadata."""

from dynabench_tasks.configuration.metadata import Circumstances
from dynabench_tasks.values import Value
from dynabench_tasks.verdict import Verdict

from annotation.domain.round import Round


def circumstances_of(verdict: Verdict | None, claimed: Value | None, round_: Round) -> Circumstances:
    """Return what decides which metadata fields a try is asked for, also before its verdict is known."""
    labels = [claimed] if isinstance(claimed, str) else list(claimed) if isinstance(claimed, list) else []
    decided = frozenset() if verdict is None else frozenset({verdict.value})
    words = {"verdict": decided, "claimed": frozenset(labels)}
    return Circumstances(words, round_.number)
