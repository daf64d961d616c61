"""Command `retrain`: continue from a trained baseline with released rounds, package the result, write its card."""

import json
import tempfile
import zipfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from rich.console import Console

from model_archives.building import write_checkpoint
from model_archives.errors import BuildError
from model_archives.packaging import package
from model_archives.training.data_sets import TRAINING_SETS, Examples
from model_archives.training.evaluation import Predict, predictor_of
from model_archives.training.examples import LabelledText, Question
from model_archives.training.figures import answer_figures, label_figures, label_set_figures
from model_archives.training.recipe import Recipe, Training, read_recipe
from model_archives.training.released_data import QUESTIONS, released_examples
from model_archives.training.run import train_on

RELEASED = "released rounds"
SHARES = {"share": "right", "macro_f1": "macro F1", "micro_f1": "micro F1", "f1": "token F1"}


@dataclass(frozen=True)
class Retraining:
    """Settings of further training from `base`, a folder with recipe and weights.

    `released` are JSONL files to train on, `held_out` files used only for evaluation afterwards. `also` names sets of
    `TRAINING_SETS` that are mixed in. `trained_on` is the statement in the card.
    """

    base: Path
    name: str
    released: Sequence[Path]
    held_out: Sequence[Path]
    also: Sequence[str]
    epochs: int
    learning_rate: float
    trained_on: Sequence[str]
    licence: str
    contact: str


def retrain(wanted: Retraining, out: Path, console: Console) -> Path:
    """Write recipe, weights, `NAME.mar` with its note and `card.md` into `out`. Raises BuildError."""
    base = read_recipe(wanted.base)
    if not base.weights_file.is_file():
        raise BuildError(f"{base.weights_file} is missing: go on from a baseline that was trained")
    collected = released_examples(base, wanted.released)
    if not collected:
        raise BuildError("the files hold no example with a label: give data/train.jsonl.gz of a dataset")
    added = {name: _set_named(name, base) for name in wanted.also}
    held_out = released_examples(base, wanted.held_out)
    recipe = _write_recipe(base, wanted, out)
    console.print(
        f"{recipe.name}: goes on from {base.name} with {len(collected)} examples of {RELEASED}"
        + "".join(f", {len(examples)} of {name}" for name, examples in added.items())
    )
    train_on(
        recipe, [*collected, *(each for some in added.values() for each in some)], console, base.weights_file
    )
    archive, figures = _packaged(recipe, held_out, out, console)
    sizes = {RELEASED: len(collected), **{name: len(examples) for name, examples in added.items()}}
    (out / "card.md").write_text(_card(wanted, base, sizes, len(held_out), figures), encoding="utf-8")
    return archive


def _set_named(name: str, base: Recipe) -> Examples:
    if name not in TRAINING_SETS:
        raise BuildError(f"there is no set {name!r} to add; known: {', '.join(TRAINING_SETS)}")
    examples = TRAINING_SETS[name]()
    labels = {label for each in examples if isinstance(each, LabelledText) for label in each.labels}
    if not labels <= set(base.labels):
        raise BuildError(f"the set {name} has labels that {base.name} does not know: add one of its own task")
    return examples


def _write_recipe(base: Recipe, wanted: Retraining, out: Path) -> Recipe:
    """Write the recipe of the new model. The base's correction of logits is part of its weights already."""
    out.mkdir(parents=True, exist_ok=True)
    content = json.loads((base.folder / "config.json").read_text(encoding="utf-8"))
    training = {
        **content["training"],
        "data": RELEASED,
        "epochs": wanted.epochs,
        "learning_rate": wanted.learning_rate,
    }
    content = {**content, "name": wanted.name, "training": training, "logit_correction": {}}
    (out / "config.json").write_text(json.dumps(content, indent=2) + "\n", encoding="utf-8")
    return replace(base, name=wanted.name, training=Training(**training), logit_correction={}, folder=out)


def _packaged(
    recipe: Recipe, held_out: Examples, out: Path, console: Console
) -> tuple[Path, Mapping[str, Any]]:
    archive = out / f"{recipe.name}.mar"
    with tempfile.TemporaryDirectory(prefix="dynabench-retrain-") as scratch:
        checkpoint, unpacked = Path(scratch) / "checkpoint", Path(scratch) / "unpacked"
        checkpoint.mkdir()
        write_checkpoint(recipe, checkpoint)
        package(
            checkpoint,
            archive,
            name=recipe.name,
            version="1",
            report=console.print,
            task_type=recipe.task_type,
            fields=recipe.fields,
            max_tokens=recipe.max_tokens,
        )
        with zipfile.ZipFile(archive) as contents:
            contents.extractall(unpacked)
        figures = _figures(recipe, held_out, predictor_of(unpacked, recipe)) if held_out else {}
    return archive, figures


def _figures(recipe: Recipe, held_out: Examples, predict: Predict) -> Mapping[str, Any]:
    questions = [example for example in held_out if isinstance(example, Question)]
    texts = [example for example in held_out if isinstance(example, LabelledText)]
    if recipe.task_type == QUESTIONS:
        return answer_figures(questions, predict)
    if recipe.task_type == "multilabel-classification":
        return label_set_figures(texts, predict)
    return label_figures(texts, predict)


def _card(
    wanted: Retraining, base: Recipe, sizes: Mapping[str, int], held_out: int, figures: Mapping[str, Any]
) -> str:
    fields = {
        "licence": wanted.licence,
        "contact": wanted.contact,
        "languages": ["en"],
        "trained_on": list(wanted.trained_on),
    }
    data = "\n".join(f"| {name} | {number} |" for name, number in sizes.items())
    found = "; ".join(
        f"{words} {100 * figures[key]:.1f} %" for key, words in SHARES.items() if key in figures
    )
    measured = (
        f"On the {held_out} held-out examples of these rounds: {found}." if found else "Nothing was held out."
    )
    return f"""---
{"".join(f"{name}: {json.dumps(value)}" + chr(10) for name, value in fields.items())}---

# {wanted.name}

{base.name}, trained on for {wanted.epochs} more epochs at a learning rate of {wanted.learning_rate:g}, from the weights
that it had, on:

| text | examples |
|---|---:|
{data}

Text of released rounds was written by people to fool the models of their day, so it is not like everyday text.
{measured}
"""
