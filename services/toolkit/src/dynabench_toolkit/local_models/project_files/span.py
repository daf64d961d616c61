"""A toy model that keeps the contract: it answers with the longest word. Put your own model in its place."""

import json
import re
from pathlib import Path
from typing import Any

WORD = re.compile(r"\S+")


class Model:
    """Loaded once for each worker; `folder` holds the archive's files, `description` is dynabench.json."""

    def __init__(self, folder: Path, description: dict[str, Any]) -> None:
        self.passage, self.question = description["fields"]
        self.sharpness = float(json.loads((folder / "model.json").read_text(encoding="utf-8"))["sharpness"])

    def predict(self, instance: dict[str, str]) -> dict[str, Any]:
        """Return a slice of the passage, in Unicode code points, and its probability.

        `instance` has a text for each of the fields, none of them blank.
        """
        passage = instance[self.passage]
        asked = instance[self.question].lower()
        words = list(WORD.finditer(passage))
        others = [word for word in words if word.group().lower() not in asked] or words
        best = max(others, key=lambda word: len(word.group()))
        return {
            "start": best.start(),
            "end": best.end(),
            "text": passage[best.start() : best.end()],
            "probability": len(words) ** -self.sharpness,
        }
