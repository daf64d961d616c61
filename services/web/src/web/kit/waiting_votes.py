"""How many examples of a round wait for votes: counted once, said alike wherever an owner decides about the round.

Votes are wanted on what fooled and, by most tasks, on a sample of the rest. A dataset waits for the former alone, so
both numbers are said.
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
