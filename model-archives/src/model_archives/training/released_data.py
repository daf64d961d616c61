"""Rows of released rounds as examples to train on, read from the JSONL files of a dataset."""

import gzip
import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from model_archives.errors import BuildError
from model_archives.training.data_sets import Examples
from model_archives.training.examples import LabelledText, Question
from model_archives.training.recipe import Recipe

QUESTIONS = "extractive-qa"


def released_examples(recipe: Recipe, files: Sequence[Path]) -> Examples:
    """Return the rows with a label, by the fields and labels of the recipe. Raises BuildError naming file and line."""
    return [
        _example(recipe, row, f"{file}, line {number}")
        for file in files
        for number, row in _rows(file)
        if row.get("label") is not None
    ]


def _rows(file: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    try:
        with (
            gzip.open(file, "rt", encoding="utf-8")
            if file.suffix == ".gz"
            else file.open(encoding="utf-8") as lines
        ):
            for number, line in enumerate(lines, start=1):
                row = json.loads(line)
                if not isinstance(row, dict):
                    raise BuildError(f"{file}, line {number} is no JSON object")
                yield number, row
    except FileNotFoundError as error:
        raise BuildError(f"{file} does not exist: give data/train.jsonl.gz of a dataset") from error
    except (OSError, EOFError, ValueError) as error:
        raise BuildError(f"{file} can't be read as JSON lines: {error}") from error


def _example(recipe: Recipe, row: Mapping[str, Any], where: str) -> LabelledText | Question:
    fields = {**(row.get("context") or {}), **(row.get("input") or {})}
    missing = [name for name in recipe.fields if not isinstance(fields.get(name), str)]
    if missing:
        raise BuildError(f"{where} has no text in {', '.join(missing)}, which {recipe.name} reads")
    texts = tuple(fields[name] for name in recipe.fields)
    group = str(row.get("author") or row.get("id") or where)
    if recipe.task_type == QUESTIONS:
        return _question(texts, row, where, group)
    label = row["label"]
    labels = tuple(label) if isinstance(label, list) else (label,)
    unknown = [str(each) for each in labels if each not in recipe.labels]
    if unknown:
        raise BuildError(
            f"{where} has the label {unknown[0]!r}; {recipe.name} knows {', '.join(recipe.labels)}"
        )
    return LabelledText(texts, labels, group)


def _question(texts: tuple[str, ...], row: Mapping[str, Any], where: str, group: str) -> Question:
    spans = [span for span in (row["label"], *(row.get("golds") or ())) if isinstance(span, dict)]
    if not spans:
        raise BuildError(f"{where} has no span as label")
    try:
        answers = tuple(dict.fromkeys(str(span["text"]) for span in spans))
        return Question(texts[0], texts[1], answers, int(spans[0]["start"]), group)
    except (KeyError, TypeError, ValueError) as error:
        raise BuildError(f"{where}: a span needs start and text ({error!r})") from error
