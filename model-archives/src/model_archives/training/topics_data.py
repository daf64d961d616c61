"""Topics in English and German: short items written for this repository, some with two topics."""

import json
from pathlib import Path

from model_archives.training.examples import LabelledText

TOPICS_FILE = Path(__file__).parents[3] / "baselines" / "topics-data.jsonl"


def topics(language: str | None = None) -> list[LabelledText]:
    """Title and text of each item. The two languages of an item say the same and are a group."""
    rows = map(json.loads, TOPICS_FILE.read_text(encoding="utf-8").splitlines())
    return [
        LabelledText((row["title"], row["text"]), tuple(row["labels"]), group=f"item {row['item']}")
        for row in rows
        if language in (None, row["language"])
    ]
