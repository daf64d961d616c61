"""Command `evaluate`: build an archive, ask it about every data set of its task, write the figures."""

import json
import tempfile
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from rich.console import Console

from model_archives.building import write_checkpoint
from model_archives.packaging import package
from model_archives.training.card import update_card
from model_archives.training.data_sets import anli_round_1, split_recipe_data, topics
from model_archives.training.evaluation import Predict, predictor_of
from model_archives.training.examples import LabelledText, Question
from model_archives.training.figures import (
    answer_figures,
    checklist_figures,
    hatecheck_figures,
    label_figures,
    label_set_figures,
)
from model_archives.training.hate_data import hatecheck
from model_archives.training.recipe import Recipe, read_recipe
from model_archives.training.sentiment_data import checklist, dynasent


def evaluate_baseline(folder: Path, console: Console) -> None:
    """Write `evaluation.json` and the figures of `card.md`, from an archive built for the purpose."""
    recipe = read_recipe(folder)
    with tempfile.TemporaryDirectory(prefix="dynabench-evaluate-") as scratch:
        checkpoint, archive, unpacked = (
            Path(scratch) / name for name in ("checkpoint", "model.mar", "unpacked")
        )
        checkpoint.mkdir()
        write_checkpoint(recipe, checkpoint)
        note = package(
            checkpoint,
            archive,
            name=recipe.name,
            version="evaluated",
            report=console.print,
            task_type=recipe.task_type,
            fields=recipe.fields,
            max_tokens=recipe.max_tokens,
        )
        with zipfile.ZipFile(archive) as contents:
            contents.extractall(unpacked)
        console.print(f"{recipe.name}: asking it")
        figures = EVALUATIONS[recipe.training.data](recipe, predictor_of(unpacked, recipe))
    evaluation = {"model_digest": note.model_digest} | figures
    text = json.dumps(evaluation, indent=1)
    (folder / "evaluation.json").write_text(f"{text}\n", encoding="utf-8")
    update_card(folder / "card.md", evaluation)


def _sentiment(recipe: Recipe, predict: Predict) -> dict[str, Any]:
    sets = {
        "held-out tenth of SST train": _held_out_texts(recipe),
        "DynaSent round 1 dev": dynasent(1),
        "DynaSent round 2 dev": dynasent(2),
    }
    return {
        "sets": {title: label_figures(examples, predict) for title, examples in sets.items()},
        "checklist": checklist_figures(checklist(), predict),
    }


def _nli(recipe: Recipe, predict: Predict) -> dict[str, Any]:
    sets = {"held-out tenth of SNLI dev": _held_out_texts(recipe), "ANLI round 1 dev": anli_round_1()}
    return {"sets": {title: label_figures(examples, predict) for title, examples in sets.items()}}


def _hate_speech(recipe: Recipe, predict: Predict) -> dict[str, Any]:
    cases = hatecheck()
    suite = [LabelledText((case.text,), (case.label,), group=case.template) for case in cases]
    return {
        "sets": {
            "held-out tenth of the training sets": label_figures(_held_out_texts(recipe), predict),
            "HateCheck": label_figures(suite, predict, are_clustered=True),
        },
        "hatecheck": hatecheck_figures(cases, predict),
    }


def _question_answering(recipe: Recipe, predict: Predict) -> dict[str, Any]:
    held_out = [example for example in split_recipe_data(recipe)[1] if isinstance(example, Question)]
    titles = ", ".join(sorted({example.group.replace("_", " ") for example in held_out}))
    return {"answers": {f"held-out articles of SQuAD dev: {titles}": answer_figures(held_out, predict)}}


def _topics(recipe: Recipe, predict: Predict) -> dict[str, Any]:
    groups = {example.group for example in _held_out_texts(recipe)}
    figures = {}
    for title, language in (("English", "en"), ("German", "de")):
        examples = [example for example in topics(language) if example.group in groups]
        figures[f"held-out fifth, {title}"] = label_set_figures(examples, predict)
    return {"label_sets": figures}


def _held_out_texts(recipe: Recipe) -> list[LabelledText]:
    return [example for example in split_recipe_data(recipe)[1] if isinstance(example, LabelledText)]


EVALUATIONS: dict[str, Callable[[Recipe, Predict], dict[str, Any]]] = {
    "hatemoji-and-stormfront": _hate_speech,
    "snli": _nli,
    "squad": _question_answering,
    "sst": _sentiment,
    "topics": _topics,
}
