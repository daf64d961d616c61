"""Data sets for training and evaluation, and their split. Longer readers have their own modules."""

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from model_archives.errors import BuildError
from model_archives.training.data_files import json_document, json_lines
from model_archives.training.examples import LabelledText, Question, split_held_out
from model_archives.training.hate_data import hatemoji_and_stormfront
from model_archives.training.made_sentences import made_sentences
from model_archives.training.recipe import Recipe
from model_archives.training.sentiment_data import sst_train

TOPICS_FILE = Path(__file__).parents[3] / "baselines" / "topics-data.jsonl"
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
    """ANLI round 1 development pairs, which people wrote to fool a stronger model than ours; for tests only."""
    rows = json_lines("replay_anli_r1_dev.jsonl.gz")
    return [
        LabelledText(
            (row["context"], row["statement"]), (ANLI_LABELS[row["gold_label"]],), group=row["context"]
        )
        for row in rows
    ]


def squad() -> list[Question]:
    """Answerable questions of SQuAD; an article is a group, so no passage or topic is on both sides of the split."""
    articles = json_document("train_qa_squad2_cs224n_dev.json.gz")["data"]
    return [
        _question(article["title"], paragraph["context"], entry)
        for article in articles
        for paragraph in article["paragraphs"]
        for entry in paragraph["qas"]
        if not entry["is_impossible"]
    ]


def _question(title: str, passage: str, entry: dict[str, Any]) -> Question:
    answers = tuple(answer["text"] for answer in entry["answers"])
    return Question(passage, entry["question"], answers, entry["answers"][0]["answer_start"], group=title)


def topics(language: str | None = None) -> list[LabelledText]:
    """Title and text of each item, written for this repository; some have two topics.

    The two languages of an item say the same and are a group.
    """
    rows = map(json.loads, TOPICS_FILE.read_text(encoding="utf-8").splitlines())
    return [
        LabelledText((row["title"], row["text"]), tuple(row["labels"]), group=f"item {row['item']}")
        for row in rows
        if language in (None, row["language"])
    ]


Examples = Sequence[LabelledText | Question]
TRAINING_SETS: dict[str, Callable[[], Examples]] = {
    "hatemoji-and-stormfront": hatemoji_and_stormfront,
    "made-sentences": made_sentences,
    "snli": snli,
    "squad": squad,
    "sst": sst_train,
    "topics": topics,
}


def split_recipe_data(recipe: Recipe) -> tuple[Examples, Examples]:
    """(trained on, held out) by the recipe; raises BuildError where its data set is unknown."""
    training = recipe.training
    if training.data not in TRAINING_SETS:
        known = ", ".join(TRAINING_SETS)
        raise BuildError(f"{recipe.folder}: no training set {training.data!r}; known: {known}")
    return split_held_out(TRAINING_SETS[training.data](), training.held_out_share, training.seed)
