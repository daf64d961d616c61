"""Adversarial NLI (Nie and others 2020), in the files that have the labels of its verifiers.

`gold_label` is what the author claims, `adversary_pred` what the model in the loop answered, `verifier labels` the
votes in their order, without the voters. `reason` answers "why the statement belongs to the category and why it was
difficult for the system" in one text. All texts answer the first part, so it is imported as the explanation of the
label. The `preds-*` columns are answers of models that were trained later and not in the loop. They are left out, as
are `round` and `eid`.
"""

import ast
from collections.abc import Iterable

from dynabench_toolkit.collections.reader import Document, UnusableLineError, register, text_of

LABELS = {"e": "entailment", "n": "neutral", "c": "contradiction"}
ADVERSARY = "adversary"
VOTES = "verifier labels"


@register("anli")
class AnliReader:
    """Reads the files of any round."""

    def targets(self, document: Document) -> Iterable[str]:
        """Name the one model in the loop."""
        return () if document.get("adversary_pred") is None else (ADVERSARY,)

    def record(self, document: Document) -> Document:
        """Return a statement about a context with its claimed label, the model's answer and the votes."""
        votes = document.get(VOTES, [])
        if not isinstance(votes, list):
            raise UnusableLineError(VOTES, "is not a list", 'Write a list, such as ["e", "n"].')
        record: Document = {
            "id": text_of(document, "uid"),
            "context": {"context": text_of(document, "context")},
            "input": {"statement": text_of(document, "statement")},
            "label": _label(document.get("gold_label"), "gold_label"),
            "tags": _tags(document.get("tags")),
            "votes": [{"label": _label(vote, VOTES)} for vote in votes],
        }
        if document.get("adversary_pred") is not None:
            record["targets"] = {ADVERSARY: _label(document["adversary_pred"], "adversary_pred")}
        if document.get("reason"):
            record["explanations"] = {"label": text_of(document, "reason")}
        return record


def _label(letter: object, field: str) -> str:
    if not isinstance(letter, str) or letter not in LABELS:
        raise UnusableLineError(field, "is no label", f"Labels are {', '.join(LABELS)}.")
    return LABELS[letter]


def _tags(written: object) -> list[str]:
    """Return tags, which the files write as a Python list."""
    try:
        tags = ast.literal_eval(written) if isinstance(written, str) and written.strip() else written or []
    except (ValueError, SyntaxError, MemoryError, RecursionError) as err:
        raise UnusableLineError("tags", "is no list", "Write it as ['Tricky', 'Basic'].") from err
    if not isinstance(tags, list) or not all(isinstance(tag, str) for tag in tags):
        raise UnusableLineError("tags", "is no list of texts", "Write it as ['Tricky', 'Basic'].")
    return list(dict.fromkeys(tags))
