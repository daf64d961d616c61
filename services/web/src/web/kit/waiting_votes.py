"""Number of a round's examples that wait for votes, in the same words wherever an owner decides about the round.

Examples that fooled need votes and, in most tasks, so does a sample of the rest. A dataset waits only for the former,
so both numbers are shown.
"""

from dynabench_client.results.validation import ValidationCounts

from web.kit.language import ngettext
from web.kit.numbers import count


def waiting_votes(found: ValidationCounts) -> str:
    """Return how many examples wait for votes, and how many of them because they fooled."""
    said = [
        ngettext(
            "%(shown)s\u00a0example waits for votes.",
            "%(shown)s\u00a0examples wait for votes.",
            found.pending,
            shown=count(found.pending),
        )
    ]
    if 0 < found.pending_fooling < found.pending:
        said.append(
            ngettext(
                "%(shown)s of them fooled a model.",
                "%(shown)s of them fooled a model.",
                found.pending_fooling,
                shown=count(found.pending_fooling),
            )
        )
    return " ".join(said)
