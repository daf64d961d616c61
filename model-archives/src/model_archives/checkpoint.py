"""What a Hugging Face checkpoint folder must hold before it is packaged.

Only data goes into an archive: weights as safetensors, a tokenizer, a configuration. Anything that would run as
code when loaded (pickles, modelling files) is refused rather than left out, so that nobody believes it was used.
"""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from model_archives.errors import BuildError
from model_archives.handlers.description import CONFIG_FILE, TOKENIZER_FILE, WEIGHTS_FILE

TOKENIZER_CONFIG_FILE = "tokenizer_config.json"
PICKLE_SUFFIXES = frozenset({".bin", ".pt", ".pth", ".pkl", ".pickle", ".ckpt", ".joblib", ".npy", ".npz"})
CODE_SUFFIXES = frozenset({".py", ".so", ".pyc"})
LONGEST_INPUT = 512


@dataclass(frozen=True)
class Checkpoint:
    """A checked folder. `files` are those that go into the archive and into the model digest."""

    folder: Path
    labels: tuple[str, ...]
    max_tokens: int
    files: tuple[str, ...]


def read_checkpoint(folder: Path, max_tokens: int | None = None) -> Checkpoint:
    """Raises BuildError naming the file at fault and the remedy."""
    if not folder.is_dir():
        raise BuildError(f"{folder} is not a folder")
    _refuse_code(folder)
    for name, remedy in (
        (WEIGHTS_FILE, "save the model with save_pretrained(safe_serialization=True) in one shard"),
        (CONFIG_FILE, "save the model with save_pretrained"),
        (TOKENIZER_FILE, "save the fast tokenizer with save_pretrained"),
    ):
        if not (folder / name).is_file():
            raise BuildError(f"{folder} has no {name}: {remedy}")
    config = _json(folder / CONFIG_FILE)
    _require_classifier(folder, config)
    tokenizer_config = _json(folder / TOKENIZER_CONFIG_FILE) if _has_tokenizer_config(folder) else {}
    names = (CONFIG_FILE, WEIGHTS_FILE, TOKENIZER_FILE)
    return Checkpoint(
        folder=folder,
        labels=_labels(folder, config),
        max_tokens=_max_tokens(max_tokens, config, tokenizer_config),
        files=(*names, TOKENIZER_CONFIG_FILE) if tokenizer_config else names,
    )


def _refuse_code(folder: Path) -> None:
    for path in sorted(folder.rglob("*")):
        if path.suffix in PICKLE_SUFFIXES:
            raise BuildError(f"{path} may hold a pickle, which runs code when loaded: keep safetensors only")
        if path.suffix in CODE_SUFFIXES:
            raise BuildError(
                f"{path} is code: a declarative archive holds weights, tokenizer and configuration"
            )


def _require_classifier(folder: Path, config: dict[str, Any]) -> None:
    if "auto_map" in config:
        raise BuildError(
            f"{folder / CONFIG_FILE} asks for code of its own (auto_map): use a standard architecture"
        )
    architectures = config.get("architectures") or []
    if not any(str(name).endswith("ForSequenceClassification") for name in architectures):
        raise BuildError(f"{folder / CONFIG_FILE}: architectures {architectures} has no sequence classifier")


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


def _max_tokens(wanted: int | None, config: dict[str, Any], tokenizer_config: dict[str, Any]) -> int:
    longest = min(
        LONGEST_INPUT,
        int(config.get("max_position_embeddings", LONGEST_INPUT)),
        int(tokenizer_config.get("model_max_length", LONGEST_INPUT)),
    )
    if wanted is not None and not 8 <= wanted <= longest:
        raise BuildError(f"max tokens {wanted} is not between 8 and the model's {longest}")
    return wanted or longest


def _has_tokenizer_config(folder: Path) -> bool:
    return (folder / TOKENIZER_CONFIG_FILE).is_file()


def _json(path: Path) -> dict[str, Any]:
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise BuildError(f"{path} is not JSON: {error}") from error
    if not isinstance(content, dict):
        raise BuildError(f"{path} is not a JSON object")
    return content
