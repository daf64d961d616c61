"""Extractive question answering: the answerable questions of SQuAD, split by article."""

from typing import Any

from model_archives.training.data_files import json_document
from model_archives.training.examples import Question


def squad() -> list[Question]:
    """Answerable questions; an article is a group, so no passage and no topic is on both sides of the split."""
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
