"""Sentiment: the Stanford Sentiment Treebank for training; DynaSent and CheckList for tests."""

import re
from dataclasses import dataclass
from typing import Any

from model_archives.training.data_files import json_lines
from model_archives.training.examples import LabelledText

SST_LABELS = ("negative", "negative", "neutral", "positive", "positive")
CHECKLIST_LABELS = ("negative", "neutral", "positive")

TREEBANK_TOKENS = {"-LRB-": "(", "-RRB-": ")", "``": '"', "''": '"'}
# "ca n't" and "it 's" are one word to a reader and to the encoder's pretraining.
CLITIC = re.compile(r" (n't|'s|'re|'ve|'ll|'d|'m)\b", re.IGNORECASE)
SPACE_BEFORE = re.compile(r" ([.,;:!?)%])")
SPACE_AFTER = re.compile(r"([(#$]) ")


@dataclass(frozen=True)
class ChecklistCase:
    """One case of a behavioural test. MFT: one text with its label; INV: variants that must agree with the first."""

    test: str
    kind: str
    capability: str
    texts: tuple[str, ...]
    label: str | None


def sst_train() -> list[LabelledText]:
    """Stanford Sentiment Treebank sentences on three classes, as running text instead of treebank tokens."""
    rows = json_lines("train_sentiment_sst_train.jsonl.gz")
    return [_labelled(detokenised(row["sentence"]), SST_LABELS[row["sst_label"]]) for row in rows]


def dynasent(round_number: int) -> list[LabelledText]:
    """DynaSent development sentences whose majority of votes is one of the three labels."""
    rows = json_lines(f"replay_dynasent_r{round_number}_dev.jsonl.gz")
    return [
        _labelled(row["sentence"], row["gold_label"]) for row in rows if row["gold_label"] in CHECKLIST_LABELS
    ]


def checklist() -> list[ChecklistCase]:
    """The CheckList sentiment suite (Ribeiro et al. 2020)."""
    return [_checklist_case(row) for row in json_lines("diagnostic_checklist_sentiment.jsonl.gz")]


def detokenised(sentence: str) -> str:
    """Undo treebank tokenisation: quotes, brackets, escapes, clitics and the spaces around punctuation."""
    words = " ".join(TREEBANK_TOKENS.get(word, word) for word in sentence.split()).replace("\\", "")
    words = SPACE_BEFORE.sub(r"\1", CLITIC.sub(r"\1", words))
    return SPACE_AFTER.sub(r"\1", words)


def _labelled(text: str, label: str) -> LabelledText:
    return LabelledText((text,), (label,), group=text)


def _checklist_case(row: dict[str, Any]) -> ChecklistCase:
    data = row["data"]
    texts = tuple(data) if isinstance(data, list) else (data,)
    label = None if row["label"] is None else CHECKLIST_LABELS[row["label"]]
    return ChecklistCase(row["test"], row["type"], row["capability"], texts, label)
