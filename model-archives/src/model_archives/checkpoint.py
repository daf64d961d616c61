"""Requirements on a checkpoint folder before it is packaged.

Only data goes into an archive: weights as safetensors, a tokenizer, a configuration. Code is refused rather than left
out, so that it is clear that it is not used. Pickles next to the weights are left out.
"""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from model_archives.errors import BuildError
from model_archives.handlers.description import (
    CONFIG_FILE,
    MOST_TOKENIZED_FIELDS,
    TOKENIZER_CONFIG_FILE,
    TOKENIZER_FILE,
    WEIGHTS_FILE,
)
from model_archives.task_types import TaskType

PICKLE_SUFFIXES = frozenset({".bin", ".pt", ".pth", ".pkl", ".pickle", ".ckpt", ".joblib", ".npy", ".npz"})
CODE_SUFFIXES = frozenset({".py", ".so", ".pyc"})
LONGEST_INPUT = 512
# Their positions begin behind that of padding: of RoBERTa's 514 rows 512 can be used.
OFFSET_POSITIONS = frozenset(
    {"camembert", "data2vec-text", "ibert", "longformer", "luke", "mpnet", "roberta", "roberta-prelayernorm"}
    | {"xlm-roberta", "xlm-roberta-xl", "xmod"}
)
MOST_NGRAMS = 8192
WEIGHTS_REMEDY = "save the model with save_pretrained(safe_serialization=True) in one shard"
CONFIG_REMEDY = "save the model with save_pretrained"
TOKENIZER_REMEDY = "save the fast tokenizer with save_pretrained"


@dataclass(frozen=True)
class Checkpoint:
    """A checked folder. `files` are those that go into the archive and into the model digest."""

    folder: Path
    fields: tuple[str, ...]
    labels: tuple[str, ...]
    max_tokens: int
    files: tuple[str, ...]


def read_checkpoint(
    folder: Path, task_type: TaskType, fields: tuple[str, ...] = (), max_tokens: int | None = None
) -> Checkpoint:
    """Read and check a folder. Raises BuildError naming the file at fault and the remedy."""
    if not folder.is_dir():
        raise BuildError(f"{folder} is not a folder")
    _refuse_code(folder)
    _require(folder, WEIGHTS_FILE, WEIGHTS_REMEDY)
    _require(folder, CONFIG_FILE, CONFIG_REMEDY)
    config = _json(folder / CONFIG_FILE)
    _require_architecture(folder, config, task_type)
    chosen = task_type.with_fields(fields)
    labels = _labels(folder, config) if task_type.labelled else ()
    if "features" in config:
        files: tuple[str, ...] = (CONFIG_FILE, WEIGHTS_FILE)
        return Checkpoint(folder, chosen, labels, _within(max_tokens, MOST_NGRAMS), files)
    _require(folder, TOKENIZER_FILE, TOKENIZER_REMEDY)
    if len(chosen) > MOST_TOKENIZED_FIELDS:
        raise BuildError(f"a tokenizer reads one or two fields, not {len(chosen)}: {', '.join(chosen)}")
    tokenizer_config = _tokenizer_config(folder)
    files = (CONFIG_FILE, WEIGHTS_FILE, TOKENIZER_FILE)
    if tokenizer_config:
        files = (*files, TOKENIZER_CONFIG_FILE)
    return Checkpoint(
        folder, chosen, labels, _within(max_tokens, _longest_input(config, tokenizer_config)), files
    )


def _refuse_code(folder: Path) -> None:
    for path in sorted(folder.rglob("*")):
        if path.suffix in PICKLE_SUFFIXES and not (folder / WEIGHTS_FILE).is_file():
            raise BuildError(f"{path} may hold a pickle, which runs code when loaded: keep safetensors only")
        if path.suffix in CODE_SUFFIXES:
            raise BuildError(
                f"{path} is code: a declarative archive holds weights, tokenizer and configuration"
            )


def _require(folder: Path, name: str, remedy: str) -> None:
    if not (folder / name).is_file():
        raise BuildError(f"{folder} has no {name}: {remedy}")


def _require_architecture(folder: Path, config: dict[str, Any], task_type: TaskType) -> None:
    """One of the small networks, which name their sizes, or a standard architecture of the task type."""
    if "auto_map" in config:
        raise BuildError(
            f"{folder / CONFIG_FILE} asks for code of its own (auto_map): use a standard architecture"
        )
    architectures = config.get("architectures") or []
    if not (task_type.labelled and "network" in config) and not any(
        str(name).endswith(task_type.architecture) for name in architectures
    ):
        raise BuildError(
            f"{folder / CONFIG_FILE}: architectures {architectures} has none that ends in "
            f"{task_type.architecture}, as {task_type.name} needs"
        )


def _labels(folder: Path, config: dict[str, Any]) -> tuple[str, ...]:
    names = config.get("id2label")
    if not isinstance(names, dict) or len(names) < 2:
        raise BuildError(
            f'{folder / CONFIG_FILE} has no id2label: add {{"0": "negative", ...}} for every class'
        )
    if sorted(names) != sorted(map(str, range(len(names)))) or len(set(names.values())) != len(names):
        raise BuildError(
            f"{folder / CONFIG_FILE}: id2label must name the classes 0 to {len(names) - 1}, each once"
        )
    return tuple(str(names[str(index)]) for index in range(len(names)))


def _longest_input(config: dict[str, Any], tokenizer_config: dict[str, Any]) -> int:
    """Return the smaller limit of both; null, 0 and other values that are no length are ignored."""
    positions = config.get("max_position_embeddings")
    if config.get("model_type") in OFFSET_POSITIONS and isinstance(positions, int):
        positions -= int(config.get("pad_token_id") or 0) + 1
    limits = [positions, tokenizer_config.get("model_max_length")]
    return min([LONGEST_INPUT, *(int(most) for most in limits if isinstance(most, int | float) and most > 0)])


def _within(wanted: int | None, longest: int) -> int:
    if wanted is not None and not 8 <= wanted <= longest:
        raise BuildError(f"max tokens {wanted} is not between 8 and the model's {longest}")
    return wanted or longest


def _tokenizer_config(folder: Path) -> dict[str, Any]:
    path = folder / TOKENIZER_CONFIG_FILE
    return _json(path) if path.is_file() else {}


def _json(path: Path) -> dict[str, Any]:
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise BuildError(f"{path} is not JSON: {error}") from error
    if not isinstance(content, dict):
        raise BuildError(f"{path} is not a JSON object")
    return content
