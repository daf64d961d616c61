"""Classification of an entry by its path and bytes: the allow-list, and evidence about entries outside it."""

import io
import json
import pickletools
import struct
import zipfile
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from dynabench_archives.scanning.report import ArchiveRefused, EntryKind, Finding

MANIFEST = "MAR-INF/MANIFEST.json"
DESCRIPTION = "dynabench.json"
WEIGHTS = "model.safetensors"
GRAPH = "model.onnx"
CONFIGURATION = "config.json"
STARTER = "starter.json"
"""Labels and a few examples, from which the platform makes a weak model over its own encoder."""
DATA: Mapping[str, EntryKind] = {
    WEIGHTS: EntryKind.WEIGHTS,
    CONFIGURATION: EntryKind.CONFIGURATION,
    STARTER: EntryKind.CONFIGURATION,
    "generation_config.json": EntryKind.CONFIGURATION,
    "tokenizer.json": EntryKind.TOKENIZER,
    "tokenizer_config.json": EntryKind.TOKENIZER,
    "special_tokens_map.json": EntryKind.TOKENIZER,
    "added_tokens.json": EntryKind.TOKENIZER,
    "vocab.json": EntryKind.TOKENIZER,
    "vocab.txt": EntryKind.TOKENIZER,
    "merges.txt": EntryKind.TOKENIZER,
}
TEXTS = ("README.md", "LICENSE", "LICENSE.txt", "NOTICE", "NOTICE.txt", "card.md")
PLACES: Mapping[str, EntryKind] = {
    MANIFEST: EntryKind.MANIFEST,
    DESCRIPTION: EntryKind.DESCRIPTION,
    GRAPH: EntryKind.GRAPH,
    **DATA,
    **dict.fromkeys(TEXTS, EntryKind.TEXT),
}
PICKLE_SUFFIXES = (".bin", ".pt", ".pth", ".pkl", ".pickle", ".ckpt", ".joblib", ".npy", ".npz")
CODE_SUFFIXES = (".py", ".pyc", ".pyd", ".so", ".dll", ".dylib", ".sh", ".js", ".jar", ".whl", ".egg", ".pth")
CODE_KEYS = frozenset({"auto_map", "trust_remote_code", "custom_pipelines", "custom_object_scope"})
DTYPE_BYTES = {
    "BOOL": 1, "U8": 1, "I8": 1, "F8_E4M3": 1, "F8_E5M2": 1, "I16": 2, "U16": 2, "F16": 2, "BF16": 2,
    "I32": 4, "U32": 4, "F32": 4, "I64": 8, "U64": 8, "F64": 8,
}  # fmt: skip
LARGEST_HEADER = 25_000_000
LOOKED_INTO_BYTES = 64 * 1024 * 1024
MOST_NAMED = 40
SAFE_WEIGHTS = "Save the model with save_pretrained(safe_serialization=True)."
OTHER_WEIGHTS: Mapping[str, str] = {
    "adapter_model.safetensors": (
        "It holds an adapter alone: save the whole model with model.merge_and_unload().save_pretrained(FOLDER)."
    ),
    ".safetensors": f'The weights must lie in one file, {WEIGHTS}: save_pretrained(FOLDER, max_shard_size="100GB").',
    ".onnx": (
        "The platform makes its own graph: put the weights that this one was exported from beside it, with "
        "save_pretrained; or write a handler.py that runs it (dynabench models init)."
    ),
    ".h5": "Save the weights of PyTorch: from_pretrained(FOLDER, from_tf=True).save_pretrained(FOLDER).",
    ".msgpack": "Save the weights of PyTorch: from_pretrained(FOLDER, from_flax=True).save_pretrained(FOLDER).",
    ".bin": "Save them as safetensors: AutoModelForSequenceClassification.from_pretrained(FOLDER)"
    ".save_pretrained(FOLDER), with the class that fits the model.",
}
LEFT_BY_SYSTEMS = frozenset({".DS_Store", "Thumbs.db", "desktop.ini"})
REQUIREMENTS = "requirements.txt"
INSTALLED = ("torch", "transformers", "tokenizers", "safetensors", "onnxruntime", "captum", "numpy")
NOT_INSTALLED = (
    f"Nothing of it is installed. There are {', '.join(INSTALLED)} and the standard library of Python 3.11; put other "
    "modules into the archive as files."
)
PUBLISHED_HANDLERS = Path(__file__).with_name("published_handlers.txt")


@cache
def published_handlers() -> frozenset[tuple[str, str]]:
    """Return digest and path of each file of the handlers that the platform has published."""
    lines = PUBLISHED_HANDLERS.read_text(encoding="utf-8").splitlines()
    found = (line.split(maxsplit=1) for line in lines if line and not line.startswith("#"))
    return frozenset((digest, path) for digest, path in found)


def kind_of(path: str, digest: str, head: bytes) -> EntryKind:
    """Return what an entry is; `head` are its first bytes."""
    if path in PLACES:
        return PLACES[path]
    if (digest, path) in published_handlers():
        return EntryKind.OUR_HANDLER
    if is_left_by_a_system(path):
        return EntryKind.OTHER
    lower = path.lower()
    if lower.endswith(PICKLE_SUFFIXES) or (
        head[:1] == b"\x80" and head[1:2] in {b"\x02", b"\x03", b"\x04", b"\x05"}
    ):
        return EntryKind.PICKLE
    is_code = lower.endswith(CODE_SUFFIXES) or head.startswith((b"\x7fELF", b"MZ", b"#!"))
    return EntryKind.CODE if is_code else EntryKind.OTHER


def holds_model(paths: Iterable[str]) -> bool:
    """Return whether these entries are enough to build a model: weights with their configuration, or a starter."""
    held = set(paths)
    return STARTER in held or {WEIGHTS, CONFIGURATION} <= held


def is_left_by_a_system(path: str) -> bool:
    """Return whether macOS or Windows added this file to those of the model."""
    *folders, name = path.split("/")
    return "__MACOSX" in folders or name in LEFT_BY_SYSTEMS or name.startswith("._")


def weights_remedy(paths: Iterable[str]) -> str:
    """Return the remedy for weights of another kind."""
    held = list(paths)
    found = (remedy for end, remedy in OTHER_WEIGHTS.items() if any(path.endswith(end) for path in held))
    return next(found, SAFE_WEIGHTS)


def check_weights(size: int, head: bytes, path: str) -> None:
    """Check that a safetensors header describes exactly the bytes that follow it. Raises ArchiveRefused.

    `head` are the first bytes, at least the header's where it is no longer than LARGEST_HEADER.
    """
    if size < 8:
        raise _bad_weights(path, "it is too short for safetensors")
    (length,) = struct.unpack("<Q", head[:8])
    if not 2 <= length <= min(LARGEST_HEADER, size - 8):
        raise _bad_weights(path, f"its header claims {length:,} bytes")
    header = json_object(head[8 : 8 + length], path)
    spans = []
    for name, tensor in header.items():
        if name != "__metadata__":
            spans.append(_span(path, name, tensor))
    at = 0
    for start, end in sorted(spans):
        if start != at:
            raise _bad_weights(path, "its tensors overlap or leave gaps")
        at = end
    if at != size - 8 - length:
        raise _bad_weights(path, f"its tensors take {at:,} of {size - 8 - length:,} bytes")


def _span(path: str, name: str, tensor: object) -> tuple[int, int]:
    try:
        assert isinstance(tensor, dict)  # noqa: S101
        start, end = tensor["data_offsets"]
        wanted = DTYPE_BYTES[tensor["dtype"]]
        for extent in tensor["shape"]:
            if type(extent) is not int or extent < 0:
                raise ValueError(extent)
            wanted *= extent
        if type(start) is not int or type(end) is not int or start < 0 or end - start != wanted:
            raise ValueError(start)
    except (AssertionError, KeyError, TypeError, ValueError) as err:
        raise _bad_weights(path, f"the tensor {str(name)[:60]!r} is described wrongly") from err
    return start, end


def json_object(data: bytes, path: str) -> Mapping[str, Any]:
    """Return a JSON object. Raises ArchiveRefused for anything else, also for one that is nested too deep."""
    try:
        content = json.loads(data, parse_constant=_no_constant)
    except (ValueError, RecursionError) as err:
        raise ArchiveRefused(
            "not-json", f"it is no JSON: {str(err)[:120]}", "Save it again as UTF-8 JSON.", path
        ) from err
    if not isinstance(content, dict):
        raise ArchiveRefused("not-json", "it is no JSON object", "Save it again as a JSON object.", path)
    return content


def _no_constant(name: str) -> float:
    raise ValueError(f"{name} is no JSON")


def names_code(content: object, depth: int = 0) -> str | None:
    """Return a key of a configuration that asks for code of its own, at any depth; None if there is none."""
    if depth > 50:
        return "nested too deep to be looked through"
    if isinstance(content, dict):
        for key, value in content.items():
            if key in CODE_KEYS and value:
                return str(key)
            found = names_code(value, depth + 1)
            if found is not None:
                return found
    elif isinstance(content, list):
        for value in content:
            found = names_code(value, depth + 1)
            if found is not None:
                return found
    return None


def pickle_evidence(path: str, data: bytes) -> Finding:
    """Return what a pickle would import when it is loaded; it is read, never loaded."""
    imported = sorted(_imports(data))
    named = ", ".join(imported[:MOST_NAMED]) + (" …" if len(imported) > MOST_NAMED else "")
    reason = (
        f"a pickle runs code when it is loaded; it imports {named}"
        if named
        else ("it may hold a pickle, which runs code when it is loaded")
    )
    return Finding("pickle", False, path, reason, SAFE_WEIGHTS)


def _imports(data: bytes) -> set[str]:
    if data[:4] == b"PK\x03\x04":
        return _imports_of_zip(data)
    found: set[str] = set()
    texts: list[str] = []
    try:
        for opcode, argument, _ in pickletools.genops(data):
            if opcode.name in {"GLOBAL", "INST"}:
                found.add(str(argument).replace(" ", "."))
            elif opcode.name == "STACK_GLOBAL" and len(texts) >= 2:
                found.add(".".join(texts[-2:]))
            elif isinstance(argument, str):
                texts = [*texts[-1:], argument]
    except Exception:
        return found  # the readable part is evidence enough
    return found


def _imports_of_zip(data: bytes) -> set[str]:
    """Return the imports of the pickles in a zip, as torch writes one."""
    found: set[str] = set()
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as inner:
            for entry in inner.infolist()[:200]:
                if entry.filename.endswith(".pkl") and entry.file_size <= LOOKED_INTO_BYTES:
                    found |= _imports(inner.read(entry))
    except Exception:
        return found
    return found


def _bad_weights(path: str, reason: str) -> ArchiveRefused:
    return ArchiveRefused("weights", reason, SAFE_WEIGHTS, path)
