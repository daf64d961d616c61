"""Attribution weights on slices of the original texts."""

from collections import defaultdict
from collections.abc import Sequence
from typing import Any

from .encoded_text import EncodedText


def token_weights(
    fields: Sequence[str], originals: Sequence[str], encoded: EncodedText, weights: Sequence[float]
) -> list[dict[str, Any]]:
    """One entry per slice, field by field in reading order.

    What overlaps is added up: the words of an emoji's name, the n-grams that share a word.
    """
    by_slice: dict[tuple[int, int, int], float] = defaultdict(float)
    for token in encoded.tokens:
        by_slice[token.field, *token.span] += token.share * weights[token.position]
    entries: list[dict[str, Any]] = []
    for (field, start, end), weight in sorted(by_slice.items()):
        last = entries[-1] if entries else None
        if last and last["field"] == fields[field] and start < last["end"]:
            last["weight"] += weight
            last["end"] = max(end, last["end"])
            last["text"] = originals[field][last["start"] : last["end"]]
        else:
            text = originals[field][start:end]
            entries.append(
                {"field": fields[field], "text": text, "start": start, "end": end, "weight": weight}
            )
    return entries
