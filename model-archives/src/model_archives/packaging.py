"""A checkpoint folder → a `.mar` that TorchServe serves, and a note for its registration."""

import json
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from model_archives.archive import HANDLER_ENTRY, MANIFEST_ENTRY, manifest, write_archive
from model_archives.checkpoint import Checkpoint, read_checkpoint
from model_archives.digests import Content, content_digest, file_digest
from model_archives.errors import BuildError
from model_archives.handlers.description import (
    CONFIG_FILE,
    DESCRIPTION_FILE,
    ONNX_FILE,
    TOKENIZER_FILE,
    WEIGHTS_FILE,
    Description,
)
from model_archives.task_types import task_type_named

STARTER_FILE = "starter.json"
HANDLER_PACKAGE = "dynabench_handlers"
ENTRY_TEMPLATE = '''"""The entry that TorchServe loads: a top-level module with exactly one class."""

from {package}.{module} import {name}


class Handler({name}):
    """{name} under the name that this archive's manifest points to."""
'''
Report = Callable[[str], None]


@dataclass(frozen=True)
class ArchiveNote:
    """The content of `<archive>.json`. `built_from` names the inputs; equal inputs need no new build."""

    name: str
    version: str
    task_type: str
    fields: tuple[str, ...]
    labels: tuple[str, ...]
    sha256: str
    size: int
    model_digest: str
    handler_digest: str
    built_from: str


def package(
    folder: Path,
    archive: Path,
    name: str,
    version: str,
    report: Report,
    task_type: str = "text-classification",
    fields: tuple[str, ...] = (),
    max_tokens: int | None = None,
    built_from: str = "",
) -> ArchiveNote:
    """Check, export, compare, write. Raises BuildError before anything is written to `archive`'s folder."""
    handler = handler_entries(task_type)
    _expand_starter(folder, task_type, fields, report)
    checkpoint = read_checkpoint(folder, task_type_named(task_type), fields, max_tokens)
    contents: dict[str, Content] = {file: folder / file for file in checkpoint.files}
    description = Description(
        name=name,
        version=version,
        task_type=task_type,
        fields=checkpoint.fields,
        labels=checkpoint.labels,
        max_tokens=checkpoint.max_tokens,
        model_digest=content_digest(contents),
        handler_digest=content_digest(handler | _reading(checkpoint)),
    )
    with tempfile.TemporaryDirectory(prefix="dynabench-package-") as scratch:
        graph = Path(scratch) / ONNX_FILE
        _exported(folder, description, graph, report)
        report(f"writing {archive.name}")
        archive.parent.mkdir(parents=True, exist_ok=True)
        own: dict[str, Content] = {
            **_library_tokenizer(folder, checkpoint.files, report),
            ONNX_FILE: graph,
            DESCRIPTION_FILE: description.to_json().encode(),
            MANIFEST_ENTRY: manifest(name, version),
        }
        write_archive(archive, contents | handler | own)
    return _write_note(archive, description, built_from)


def _expand_starter(folder: Path, task_type: str, fields: tuple[str, ...], report: Report) -> None:
    """Make the checkpoint of a starter model, of which the folder has only labels and examples."""
    starter = folder / STARTER_FILE
    if not starter.is_file() or (folder / WEIGHTS_FILE).is_file():
        return
    named = task_type_named(task_type)
    if not named.labelled:
        raise BuildError(f"a starter model answers with labels, and {task_type} has none")
    from model_archives.starter import write_starter_checkpoint

    report("fitting a starter model to its examples")
    write_starter_checkpoint(starter, task_type, len(named.with_fields(fields)))


def handler_entries(task_type: str) -> dict[str, Content]:
    """The handler's files by their names in the archive; readable without loading any of them."""
    named = task_type_named(task_type)
    sources = sorted((Path(__file__).parent / "handlers").glob("*.py"))
    entry = ENTRY_TEMPLATE.format(package=HANDLER_PACKAGE, module=named.module, name=named.handler)
    package_files: dict[str, Content] = {f"{HANDLER_PACKAGE}/{source.name}": source for source in sources}
    return {HANDLER_ENTRY: entry.encode(), **package_files}


def _reading(checkpoint: Checkpoint) -> dict[str, Content]:
    """The handler's settings for reading texts, which affect answers as its code does."""
    settings = {"fields": checkpoint.fields, "max_tokens": checkpoint.max_tokens}
    return {DESCRIPTION_FILE: json.dumps(settings).encode()}


def note_path(archive: Path) -> Path:
    """Return the path of an archive's note."""
    return archive.with_name(f"{archive.name}.json")


def _library_tokenizer(folder: Path, files: Sequence[str], report: Report) -> dict[str, Content]:
    """The tokenizer as transformers loads it, whose settings in `tokenizer_config.json` change what it does."""
    if TOKENIZER_FILE not in files or "model_type" not in json.loads(
        (folder / CONFIG_FILE).read_text("utf-8")
    ):
        return {}
    from transformers import AutoTokenizer

    try:
        loaded = AutoTokenizer.from_pretrained(folder, local_files_only=True, trust_remote_code=False)
        return {TOKENIZER_FILE: loaded.backend_tokenizer.to_str().encode()}
    except Exception as error:
        report(f"transformers can't load the tokenizer, so {TOKENIZER_FILE} is read as it is: {error}")
        return {}


def _exported(folder: Path, description: Description, graph: Path, report: Report) -> None:
    from model_archives.handlers.reading import pad_id
    from model_archives.onnx_export import check_onnx, export_onnx
    from model_archives.probes import probe_inputs
    from model_archives.whole_weights import ensure_whole

    ensure_whole(folder)
    report("exporting the ONNX graph")
    export_onnx(folder, graph)
    probes = probe_inputs(folder, description)
    report(f"comparing it with PyTorch on {len(probes)} texts")
    largest = check_onnx(folder, graph, pad_id(folder), probes, description.task_type)
    report(f"same answers, probabilities within {largest:.1g}")


def _write_note(archive: Path, description: Description, built_from: str) -> ArchiveNote:
    note = ArchiveNote(
        name=description.name,
        version=description.version,
        task_type=description.task_type,
        fields=description.fields,
        labels=description.labels,
        sha256=file_digest(archive),
        size=archive.stat().st_size,
        model_digest=description.model_digest,
        handler_digest=description.handler_digest,
        built_from=built_from,
    )
    temporary = note_path(archive).with_suffix(".partial")
    temporary.write_text(json.dumps(asdict(note), indent=2) + "\n", encoding="utf-8")
    temporary.replace(note_path(archive))
    return note
