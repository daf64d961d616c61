"""Attribution weights on slices of the original text."""

from collections.abc import Sequence
from typing import Any

from .tokenisation import EncodedText


def token_weights(original: str, encoded: EncodedText, weights: Sequence[float]) -> list[dict[str, Any]]:
    """One entry per slice, in reading order; pieces of one slice (an emoji's name) are added up."""
    entries: list[dict[str, Any]] = []
    for token in encoded.tokens:
        start, end = token.span
        weight = weights[token.position]
        if entries and start < entries[-1]["end"]:
            entries[-1]["weight"] += weight
            entries[-1]["end"] = max(end, entries[-1]["end"])
            entries[-1]["text"] = original[entries[-1]["start"] : entries[-1]["end"]]
        else:
            entries.append({"text": original[start:end], "start": start, "end": end, "weight": weight})
    return entries
