"""Labelled sentences from the data folder, in the shape that training and evaluation share."""

import gzip
import json
import os
import random
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from model_archives.errors import BuildError

DATA_VARIABLE = "DYNABENCH_DATA"
SST_LABELS = ("negative", "negative", "neutral", "positive", "positive")
CHECKLIST_LABELS = ("negative", "neutral", "positive")

TREEBANK_TOKENS = {"-LRB-": "(", "-RRB-": ")", "``": '"', "''": '"'}
# "ca n't" and "it 's" are one word to a reader and to the encoder's pretraining.
CLITIC = re.compile(r" (n't|'s|'re|'ve|'ll|'d|'m)\b", re.IGNORECASE)
SPACE_BEFORE = re.compile(r" ([.,;:!?)%])")
SPACE_AFTER = re.compile(r"([(#$]) ")


@dataclass(frozen=True)
class LabelledText:
    """One sentence with its gold label."""

    text: str
    label: str


@dataclass(frozen=True)
class ChecklistCase:
    """One case of a behavioural test. MFT: one text with its label; INV: variants that must agree with the first."""

    test: str
    kind: str
    capability: str
    texts: tuple[str, ...]
    label: str | None


def data_folder() -> Path:
    """The folder of data sets; raises BuildError where the variable names none."""
    value = os.environ.get(DATA_VARIABLE, "")
    if not value or not Path(value).is_dir():
        raise BuildError(f"set {DATA_VARIABLE} to the folder that holds the data sets (now {value!r})")
    return Path(value)


def sst_train(folder: Path) -> list[LabelledText]:
    """Stanford Sentiment Treebank sentences on three classes, as running text instead of treebank tokens."""
    rows = _rows(folder / "train_sentiment_sst_train.jsonl.gz")
    return [LabelledText(detokenised(row["sentence"]), SST_LABELS[row["sst_label"]]) for row in rows]


def dynasent(folder: Path, round_number: int) -> list[LabelledText]:
    """DynaSent development sentences whose majority of votes is one of the three labels."""
    rows = _rows(folder / f"replay_dynasent_r{round_number}_dev.jsonl.gz")
    return [
        LabelledText(row["sentence"], row["gold_label"])
        for row in rows
        if row["gold_label"] in CHECKLIST_LABELS
    ]


def checklist(folder: Path) -> list[ChecklistCase]:
    """The CheckList sentiment suite (Ribeiro et al. 2020)."""
    return [_checklist_case(row) for row in _rows(folder / "diagnostic_checklist_sentiment.jsonl.gz")]


TRAINING_SETS = {"sst": sst_train}


def split_held_out(
    examples: list[LabelledText], share: float, seed: int
) -> tuple[list[LabelledText], list[LabelledText]]:
    """(trained on, held out). A sentence that occurs twice stays on one side, so nothing leaks."""
    unique = sorted({example.text for example in examples})
    held_out = set(random.Random(seed).sample(unique, round(share * len(unique))))  # noqa: S311 - not a secret
    kept = [example for example in examples if example.text not in held_out]
    return kept, [example for example in examples if example.text in held_out]


def detokenised(sentence: str) -> str:
    """Undo treebank tokenisation: quotes, brackets, escapes, clitics and the spaces around punctuation."""
    words = " ".join(TREEBANK_TOKENS.get(word, word) for word in sentence.split()).replace("\\", "")
    words = SPACE_BEFORE.sub(r"\1", CLITIC.sub(r"\1", words))
    return SPACE_AFTER.sub(r"\1", words)


def _checklist_case(row: dict[str, Any]) -> ChecklistCase:
    data = row["data"]
    texts = tuple(data) if isinstance(data, list) else (data,)
    label = None if row["label"] is None else CHECKLIST_LABELS[row["label"]]
    return ChecklistCase(row["test"], row["type"], row["capability"], texts, label)


def _rows(path: Path) -> Iterator[dict[str, Any]]:
    try:
        with gzip.open(path, "rt", encoding="utf-8") as lines:
            yield from map(json.loads, lines)
    except FileNotFoundError as error:
        raise BuildError(f"{path.name} is missing from the folder that {DATA_VARIABLE} names") from error
