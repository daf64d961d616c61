"""A round's export as JSON lines, so that its examples and votes can move to another installation."""

from collections.abc import Iterable
from typing import Any

from dynabench_toolkit.collections.reader import Document, UnusableLineError, register, text_of

SAME = ("context", "author", "cohort", "condition", "tags")
"""Keys of a line that mean the same in a record."""


@register("export")
class ExportReader:
    """Reads what `dynabench export ROUND --format jsonl` writes, and the JSON lines of a released dataset."""

    def targets(self, document: Document) -> Iterable[str]:
        """Name the targets that answered."""
        return [name for name, answer in _part(document, "targets").items() if answer is not None]

    def record(self, document: Document) -> Document | None:
        """Return an example with its answers and the votes that counted, which resolve it again.

        Retracted examples are left out.
        """
        if document.get("retracted"):
            return None
        shares = _part(document, "target_probabilities")
        answers = {
            name: answer
            if not shares.get(name)
            else {"value": answer, "probabilities": _by_label(shares[name])}
            for name, answer in _part(document, "targets").items()
            if answer is not None
        }
        return {
            "id": text_of(document, "id"),
            **{key: document[key] for key in SAME if document.get(key) is not None},
            "input": _part(document, "input"),
            "label": document.get("claimed"),
            "targets": answers,
            "votes": [_vote(vote) for vote in document.get("votes") or ()],
        }


def _part(document: Document, name: str) -> Document:
    part = document.get(name) or {}
    if not isinstance(part, dict):
        raise UnusableLineError(name, "is not an object", "Use a file that dynabench export wrote.")
    return part


def _by_label(shares: Any) -> dict[str, float]:
    return {share["label"]: share["probability"] for share in shares}


def _vote(vote: Document) -> Document:
    found = {"label": vote["option"], "voter": vote["voter"], "at": vote["cast_at"]}
    return {**found, "reason": vote["reason"]} if vote["option"] == "flag" and vote.get("reason") else found
