"""Hate speech: HatemojiBuild and a part of the Stormfront set for training; HateCheck for tests."""

import random
from dataclasses import dataclass

from model_archives.training.data_files import csv_rows, json_lines
from model_archives.training.examples import LabelledText

HATEFUL, NOT_HATEFUL = "hateful", "not hateful"
# Stormfront is nine tenths harmless: all of it would teach "not hateful" by its source alone.
HARMLESS_STORMFRONT = 3000
DRAW_SEED = 20
HATECHECK_LABELS = {"hateful": HATEFUL, "non-hateful": NOT_HATEFUL}


@dataclass(frozen=True)
class HatecheckCase:
    """One case of HateCheck with the functionality that it tests and the template that it was made from."""

    functionality: str
    template: str
    text: str
    label: str


def hatemoji_and_stormfront() -> list[LabelledText]:
    """HatemojiBuild's pairs of original and perturbation, Stormfront's hate, and a draw of the rest of it."""
    return [*_hatemoji(), *_stormfront()]


def hatecheck() -> list[HatecheckCase]:
    """The HateCheck suite (Röttger et al. 2021)."""
    return [
        HatecheckCase(
            row["functionality"], row["templ_id"], row["test_case"], HATECHECK_LABELS[row["label_gold"]]
        )
        for row in csv_rows("diagnostic_hatecheck_suite.csv.gz")
    ]


def _hatemoji() -> list[LabelledText]:
    """An original and its perturbation differ by an edit and are a group, whichever of them names the other."""
    examples = []
    for row in csv_rows("train_hate_hatemojibuild_train.csv.gz"):
        label = HATEFUL if row["label_gold"] == "1" else NOT_HATEFUL
        pair = "-".join(sorted((row["entry_id"], row["matched_id"])))
        examples.append(LabelledText((row["text"],), (label,), group=f"hatemoji {pair}"))
    return examples


def _stormfront() -> list[LabelledText]:
    by_label: dict[str, list[LabelledText]] = {HATEFUL: [], NOT_HATEFUL: []}
    for row in json_lines("train_hate_stormfront.jsonl.gz"):
        label = HATEFUL if row["label"] == "hate" else NOT_HATEFUL
        by_label[label].append(LabelledText((row["text"],), (label,), group=row["text"]))
    drawn = random.Random(DRAW_SEED).sample(by_label[NOT_HATEFUL], HARMLESS_STORMFRONT)  # noqa: S311 - not a secret
    return [*by_label[HATEFUL], *drawn]
