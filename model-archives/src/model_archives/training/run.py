"""What `train` and `evaluate` do."""

import json
import tempfile
import zipfile
from collections.abc import Callable
from pathlib import Path

from rich.console import Console
from rich.progress import Progress, TaskID

from model_archives.adapters import write_merged_checkpoint
from model_archives.digests import content_digest
from model_archives.errors import BuildError
from model_archives.packaging import package
from model_archives.training.card import update_card
from model_archives.training.evaluation import evaluate_sentiment, predictor_of
from model_archives.training.labelled_text import TRAINING_SETS, data_folder, split_held_out
from model_archives.training.lora import train_adapter
from model_archives.training.recipe import read_recipe


def train_baseline(folder: Path, console: Console) -> None:
    """Fit the adapter of the recipe in `folder` on everything but the held-out share."""
    recipe = read_recipe(folder)
    if recipe.training.data not in TRAINING_SETS:
        raise BuildError(
            f"{folder}: no training set {recipe.training.data!r}; known: {', '.join(TRAINING_SETS)}"
        )
    examples = TRAINING_SETS[recipe.training.data](data_folder())
    kept, held_out = split_held_out(examples, recipe.training.held_out_share, recipe.training.seed)
    console.print(f"{recipe.name}: training on {len(kept)} texts, {len(held_out)} held out")
    with Progress(console=console) as progress:
        bar = progress.add_task(recipe.name, total=None)
        train_adapter(recipe, kept, _shown(progress, bar, recipe.name))
    console.print(f"{recipe.adapter_file.name}: {content_digest({'adapter': recipe.adapter_file})}")


def _shown(progress: Progress, bar: TaskID, name: str) -> Callable[[int, int, float], None]:
    def show(step: int, steps: int, loss: float) -> None:
        progress.update(bar, completed=step, total=steps, description=f"{name}: loss {loss:.2f}")

    return show


def evaluate_baseline(folder: Path, console: Console) -> None:
    """Write `evaluation.json` and the figures of `card.md`, from an archive built for the purpose."""
    recipe = read_recipe(folder)
    with tempfile.TemporaryDirectory(prefix="dynabench-evaluate-") as scratch:
        checkpoint, archive, unpacked = (
            Path(scratch) / name for name in ("checkpoint", "model.mar", "unpacked")
        )
        checkpoint.mkdir()
        write_merged_checkpoint(recipe, checkpoint)
        note = package(
            checkpoint, archive, recipe.name, "evaluated", console.print, recipe.task_type, recipe.max_tokens
        )
        with zipfile.ZipFile(archive) as contents:
            contents.extractall(unpacked)
        evaluation = evaluate_sentiment(recipe, predictor_of(unpacked), console.print)
    evaluation = {"model_digest": note.model_digest} | evaluation
    text = json.dumps(evaluation, indent=1)
    (folder / "evaluation.json").write_text(f"{text}\n", encoding="utf-8")
    update_card(folder / "card.md", evaluation)
