"""Command `train`: read the recipe, split its data, fit, write the weights."""

from collections.abc import Callable
from pathlib import Path

import torch
from rich.console import Console
from rich.progress import Progress, TaskID

from model_archives.digests import content_digest
from model_archives.training.data_sets import Examples, split_recipe_data
from model_archives.training.encoding import encoded_label_sets, encoded_questions, encoded_texts
from model_archives.training.examples import LabelledText, Question
from model_archives.training.fitting import FittingExample, Loss, label_set_loss, one_label_loss, span_loss
from model_archives.training.fitting import Progress as Shown
from model_archives.training.lora import fit_adapter
from model_archives.training.recipe import Recipe, read_recipe
from model_archives.training.small import fit_small_network


def train_baseline(folder: Path, console: Console) -> None:
    """Fit the weights of the recipe in `folder` on everything but the held-out share."""
    recipe = read_recipe(folder)
    kept, held_out = split_recipe_data(recipe)
    console.print(f"{recipe.name}: training on {len(kept)} examples, {len(held_out)} held out")
    train_on(recipe, kept, console)


def train_on(recipe: Recipe, examples: Examples, console: Console, start_from: Path | None = None) -> None:
    """Fit the recipe's weights, from nothing or from those of a file, and log the progress."""
    with Progress(console=console) as progress:
        bar = progress.add_task(recipe.name, total=None)
        fit_recipe(recipe, examples, _shown(progress, bar, recipe.name), start_from)
    console.print(f"{recipe.weights_file.name}: {content_digest({'weights': recipe.weights_file})}")


def fit_recipe(recipe: Recipe, examples: Examples, progress: Shown, start_from: Path | None = None) -> None:
    """Write the recipe's weights file."""
    torch.set_num_threads(1)
    torch.manual_seed(recipe.training.seed)
    fitting, loss = _prepared(recipe, examples)
    if recipe.lora:
        fit_adapter(recipe, recipe.lora, fitting, loss, progress, start_from)
    else:
        fit_small_network(recipe, fitting, loss, progress, start_from)


def _prepared(recipe: Recipe, examples: Examples) -> tuple[list[FittingExample], Loss]:
    questions = [example for example in examples if isinstance(example, Question)]
    texts = [example for example in examples if isinstance(example, LabelledText)]
    if recipe.task_type == "extractive-qa":
        return encoded_questions(recipe, questions), span_loss
    if recipe.task_type == "multilabel-classification":
        return encoded_label_sets(recipe, texts), label_set_loss
    return encoded_texts(recipe, texts), one_label_loss


def _shown(progress: Progress, bar: TaskID, name: str) -> Callable[[int, int, float], None]:
    def show(step: int, steps: int, loss: float) -> None:
        progress.update(bar, completed=step, total=steps, description=f"{name}: loss {loss:.2f}")

    return show
