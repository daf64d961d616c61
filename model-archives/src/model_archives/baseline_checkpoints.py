"""The trained weights of a baseline → the checkpoint folder that is packaged."""

from pathlib import Path

from model_archives.errors import BuildError
from model_archives.training.recipe import Recipe


def write_checkpoint(recipe: Recipe, destination: Path) -> None:
    """Write the checkpoint folder of a trained baseline. Raises BuildError for an untrained one."""
    if not recipe.weights_file.is_file():
        raise BuildError(
            f"{recipe.weights_file} is missing: run `python -m model_archives train {recipe.name}`"
        )
    if recipe.lora:
        from model_archives.adapters import write_merged_checkpoint

        write_merged_checkpoint(recipe, recipe.lora, destination)
    else:
        from model_archives.small_checkpoints import write_small_checkpoint

        write_small_checkpoint(recipe, destination)
