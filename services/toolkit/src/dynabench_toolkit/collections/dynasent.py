"""DynaSent (Potts, Wu, Geiger, Kiela 2021): sentences with the answers of the models in the loop and five votes each.

Both rounds have `text_id`, `sentence`, `label_distribution` (the workers who chose each option) and for each model
`model_N_label` with `model_N_probs`. Round 2 has its author besides, and under `prompt_data` the sentence that the
author started from, where `has_prompt` says that there was one. No file has a label that an author claims: round 1
was harvested, and of round 2 only votes were published.

The order of votes was not published, so they are sorted by option. Fields that no model of the loop saw are left out:
ratings, reviews, and `gold_label`, which follows from the votes.
"""

import re
from collections.abc import Iterable
from typing import Any

from dynabench_toolkit.collections.reader import Document, UnusableLineError, register, text_of

MODEL_LABEL = re.compile(r"(model_\d+)_label")
VOTES = "label_distribution"


@register("dynasent")
class DynasentReader:
    """Reads the files of both rounds."""

    def targets(self, document: Document) -> Iterable[str]:
        """Name the models, such as `model_0`."""
        return [name for name, _ in _answers(document)]

    def record(self, document: Document) -> Document:
        """Return a sentence with the answers of models and people, without a claimed label."""
        record: Document = {
            "id": text_of(document, "text_id"),
            "context": {},
            "input": {"sentence": text_of(document, "sentence")},
            "targets": dict(_answers(document)),
            "votes": _votes(document.get(VOTES)),
        }
        if document.get("sentence_author") is not None:
            record["author"] = text_of(document, "sentence_author")
        if document.get("has_prompt") is not None:
            record["condition"] = "prompt" if document["has_prompt"] else "no_prompt"
        if document.get("has_prompt"):
            record["context"] = {"prompt": _prompt(document.get("prompt_data"))}
        return record


def _answers(document: Document) -> list[tuple[str, Any]]:
    found = []
    for field, label in document.items():
        named = MODEL_LABEL.fullmatch(field)
        if named is not None and label is not None:
            shares = document.get(f"{named[1]}_probs")
            found.append((named[1], label if shares is None else {"value": label, "probabilities": shares}))
    return found


def _votes(distribution: object) -> list[Document]:
    if not isinstance(distribution, dict) or not all(isinstance(who, list) for who in distribution.values()):
        raise UnusableLineError(VOTES, "holds no lists of workers by option", "Use a file with its votes.")
    return [{"label": option, "voter": voter} for option, voters in distribution.items() for voter in voters]


def _prompt(data: object) -> str:
    if not isinstance(data, dict):
        raise UnusableLineError("prompt_data", "is missing", "Use the file as it was published.")
    return text_of(data, "prompt_sentence")
