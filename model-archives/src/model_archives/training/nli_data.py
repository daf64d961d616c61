"""Natural language inference: SNLI for training, split by premise; ANLI for tests only, never for training."""

from model_archives.training.data_files import json_lines
from model_archives.training.examples import LabelledText

ANLI_LABELS = {"e": "entailment", "n": "neutral", "c": "contradiction"}


def snli() -> list[LabelledText]:
    """SNLI pairs whose annotators had a majority; several hypotheses share a premise, hence a group."""
    rows = json_lines("train_nli_snli_dev.jsonl.gz")
    return [
        LabelledText((row["sentence1"], row["sentence2"]), (row["gold_label"],), group=row["sentence1"])
        for row in rows
        if row["gold_label"] != "-"
    ]


def anli_round_1() -> list[LabelledText]:
    """ANLI round 1 development pairs, which people wrote to fool a stronger model than ours."""
    rows = json_lines("replay_anli_r1_dev.jsonl.gz")
    return [
        LabelledText(
            (row["context"], row["statement"]), (ANLI_LABELS[row["gold_label"]],), group=row["context"]
        )
        for row in rows
    ]
