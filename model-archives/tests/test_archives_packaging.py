"""Packaging: the same bytes each time, data only, and refusals with a remedy."""

import json
import pickle
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import yaml
from model_archives.building import build_all
from model_archives.checkpoint import read_checkpoint
from model_archives.digests import file_digest
from model_archives.errors import BuildError
from model_archives.handlers.tokenisation import TextTokenizer, declared_reading
from model_archives.onnx_export import check_onnx, export_onnx
from model_archives.packaging import ArchiveNote, note_path, package
from model_archives.probes import probe_texts
from model_archives.task_types import TASK_TYPES
from safetensors.numpy import load_file, save_file
from tiny_models import Served

ROOT = Path(__file__).parents[1]
BASELINES = ROOT / "baselines"


def make(folder: Path, archive: Path) -> ArchiveNote:
    return package(folder, archive, name="tiny", version="2", report=lambda line: None)


def test_the_same_checkpoint_gives_the_same_bytes(tiny_checkpoint: Path, tmp_path: Path) -> None:
    elsewhere = shutil.copytree(tiny_checkpoint, tmp_path / "another" / "place")
    first = make(tiny_checkpoint, tmp_path / "a" / "tiny.mar")
    second = make(elsewhere, tmp_path / "b" / "tiny.mar")
    assert first == second
    assert first.sha256 == file_digest(tmp_path / "b" / "tiny.mar")
    assert json.loads(note_path(tmp_path / "a" / "tiny.mar").read_text())["labels"] == ["no", "yes"]


def test_every_task_type_is_packaged_deterministically(served_tiny: Served, tmp_path: Path) -> None:
    task_type, fields = served_tiny.note.task_type, served_tiny.note.fields
    checkpoint = served_tiny.archive.parent / "checkpoint"
    again = package(checkpoint, tmp_path / "tiny.mar", "tiny", "1", lambda line: None, task_type, fields)
    assert again == served_tiny.note
    with zipfile.ZipFile(tmp_path / "tiny.mar") as archive:
        description = json.loads(archive.read("dynabench.json"))
    note = json.loads(note_path(tmp_path / "tiny.mar").read_text())
    assert description["fields"] == note["fields"] == list(fields)
    assert description["task_type"] == note["task_type"] == task_type


@pytest.mark.parametrize(
    ("task_type", "fields", "sentence"),
    [
        ("text-classification", ("a", "a"), "each once"),
        ("text-classification", ("title", "text", "source"), "one or two fields, not 3"),
        ("text-pair-classification", ("premise",), "reads 2 fields; given: premise"),
        ("extractive-qa", (), "none that ends in ForQuestionAnswering"),
        ("translation", (), "has no handler; known: text-classification"),
    ],
)
def test_a_checkpoint_must_suit_its_task_type(
    tiny_checkpoint: Path, tmp_path: Path, task_type: str, fields: tuple[str, ...], sentence: str
) -> None:
    with pytest.raises(BuildError, match=sentence):
        package(tiny_checkpoint, tmp_path / "tiny.mar", "tiny", "1", lambda line: None, task_type, fields)


def test_the_archive_holds_data_and_our_handler_only(tiny_checkpoint: Path, tmp_path: Path) -> None:
    note = make(tiny_checkpoint, tmp_path / "tiny.mar")
    with zipfile.ZipFile(tmp_path / "tiny.mar") as archive:
        names = archive.namelist()
        manifest = json.loads(archive.read("MAR-INF/MANIFEST.json"))
        description = json.loads(archive.read("dynabench.json"))
        contents = {name: archive.read(name) for name in names}
    assert {Path(name).suffix for name in names} == {".json", ".onnx", ".py", ".safetensors"}
    for name, content in contents.items():
        assert not content.startswith((b"\x80", b"PK")), name
        assert name.endswith(".safetensors") or b"pickle.load" not in content, name
    assert manifest["model"] == {"handler": "dynabench_handler.py", "modelName": "tiny", "modelVersion": "2"}
    assert manifest["model"]["handler"] in names
    assert description["labels"] == ["no", "yes"]
    assert description["model_digest"] == note.model_digest
    assert [path.name for path in tmp_path.glob(".*partial")] == []


@pytest.mark.long
def test_weights_decide_the_model_digest_and_the_name_does_not(tiny_checkpoint: Path, tmp_path: Path) -> None:
    before = make(tiny_checkpoint, tmp_path / "tiny.mar")
    renamed = package(
        tiny_checkpoint, tmp_path / "other.mar", name="other", version="3", report=lambda line: None
    )
    tensors = load_file(tiny_checkpoint / "model.safetensors")
    tensors["classifier.bias"] = tensors["classifier.bias"] + np.float32(0.25)
    save_file(tensors, tiny_checkpoint / "model.safetensors", metadata={"format": "pt"})
    changed = make(tiny_checkpoint, tmp_path / "changed.mar")
    assert before.model_digest == renamed.model_digest != changed.model_digest
    assert before.handler_digest == renamed.handler_digest == changed.handler_digest


@pytest.mark.long
def test_how_texts_are_read_decides_the_handler_digest(tiny_checkpoint: Path, tmp_path: Path) -> None:
    whole = make(tiny_checkpoint, tmp_path / "tiny.mar")
    shorter = package(
        tiny_checkpoint, tmp_path / "short.mar", "tiny", "1", report=lambda line: None, max_tokens=16
    )
    assert whole.model_digest == shorter.model_digest
    assert whole.handler_digest != shorter.handler_digest


def test_a_graph_that_disagrees_with_pytorch_is_refused(tiny_checkpoint: Path, tmp_path: Path) -> None:
    graph = tmp_path / "model.onnx"
    export_onnx(tiny_checkpoint, graph)
    tokenizer = TextTokenizer(declared_reading(tiny_checkpoint), 128)
    probes = [tokenizer.encode(text) for text in probe_texts()[:40]]
    assert check_onnx(tiny_checkpoint, graph, 0, probes, "text-classification") < 1e-4
    tensors = load_file(tiny_checkpoint / "model.safetensors")
    tensors["classifier.weight"] = -tensors["classifier.weight"]
    save_file(tensors, tiny_checkpoint / "model.safetensors", metadata={"format": "pt"})
    with pytest.raises(BuildError, match="probe answers differ"):
        check_onnx(tiny_checkpoint, graph, 0, probes, "text-classification")


def _without(name: str) -> Callable[[Path], object]:
    return lambda folder: (folder / name).unlink()


def _with_file(name: str, content: bytes = b"x") -> Callable[[Path], object]:
    return lambda folder: (folder / name).write_bytes(content)


def _with_config(**changes: Any) -> Callable[[Path], object]:
    def change(folder: Path) -> None:
        path = folder / "config.json"
        config = json.loads(path.read_text()) | changes
        path.write_text(json.dumps({key: value for key, value in config.items() if value is not None}))

    return change


def _as_pickle(folder: Path) -> None:
    (folder / "model.safetensors").unlink()
    (folder / "pytorch_model.bin").write_bytes(pickle.dumps({}))


def test_pickles_next_to_the_weights_are_left_out(tiny_checkpoint: Path, tmp_path: Path) -> None:
    for name in ("pytorch_model.bin", "training_args.bin"):
        (tiny_checkpoint / name).write_bytes(pickle.dumps({}))
    make(tiny_checkpoint, tmp_path / "tiny.mar")
    with zipfile.ZipFile(tmp_path / "tiny.mar") as archive:
        assert not [name for name in archive.namelist() if name.endswith(".bin")]


@pytest.mark.parametrize(
    ("spoil", "sentence"),
    [
        (_without("model.safetensors"), "has no model.safetensors: save the model with"),
        (_without("tokenizer.json"), "has no tokenizer.json"),
        (_without("config.json"), "has no config.json"),
        (_as_pickle, "may hold a pickle"),
        (_with_file("modeling_own.py"), "is code"),
        (_with_file("config.json", b"{"), "is not JSON"),
        (_with_config(id2label=None), "has no id2label"),
        (_with_config(id2label={"0": "a", "2": "b"}), "must name the classes 0 to 1"),
        (_with_config(id2label={"0": "a", "1": "a"}), "each once"),
        (_with_config(architectures=["BertForMaskedLM"]), "none that ends in ForSequenceClassification"),
        (_with_config(auto_map={"AutoModel": "x.Y"}), "auto_map"),
    ],
)
def test_unusable_checkpoints_are_refused_with_the_remedy(
    tiny_checkpoint: Path, tmp_path: Path, spoil: Callable[[Path], object], sentence: str
) -> None:
    spoil(tiny_checkpoint)
    with pytest.raises(BuildError, match=sentence):
        make(tiny_checkpoint, tmp_path / "store" / "tiny.mar")
    assert not (tmp_path / "store").exists()


@pytest.mark.parametrize("max_tokens", [4, 129, 512])
def test_max_tokens_must_suit_the_model(tiny_checkpoint: Path, max_tokens: int) -> None:
    with pytest.raises(BuildError, match="not between 8 and the model's 128"):
        read_checkpoint(tiny_checkpoint, TASK_TYPES["text-classification"], max_tokens=max_tokens)


def test_the_command_line_shows_one_line_per_error(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "model_archives", "package", str(tmp_path / "nowhere")]
    command += ["--name", "x", "--version", "1", "--store", str(tmp_path)]
    result = subprocess.run(
        command,
        check=False,
        capture_output=True,
        text=True,
        env={"PYTHONPATH": str(ROOT / "src")},
        timeout=60,
    )
    assert result.returncode == 1
    assert result.stderr == f"error: {tmp_path / 'nowhere'} is not a folder\n"


def test_a_second_build_does_nothing_and_needs_no_torch(models_file: Path, store: Path) -> None:
    before = {path.name: path.stat().st_mtime_ns for path in store.iterdir()}
    lines: list[str] = []
    assert build_all(models_file, BASELINES, store, lines.append) == 0
    assert lines == ["sentiment-minilm: up to date"]
    assert {path.name: path.stat().st_mtime_ns for path in store.iterdir()} == before
    script = (
        "import sys; from pathlib import Path; from model_archives.building import build_all\n"
        f"places = [Path(place) for place in {[str(models_file), str(BASELINES), str(store)]!r}]\n"
        "build_all(*places, lambda line: None)\n"
        "sys.exit(bool({'torch', 'transformers', 'onnxruntime'} & set(sys.modules)))"
    )
    subprocess.run(
        [sys.executable, "-c", script], check=True, env={"PYTHONPATH": str(ROOT / "src")}, timeout=60
    )


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        ("models: 3", 'a list under "models"'),
        ("models: [{name: x}]", "entry 0"),
        ("models: [", "cannot be read"),
    ],
)
def test_a_broken_models_file_is_named(tmp_path: Path, content: str, sentence: str) -> None:
    (tmp_path / "models.yaml").write_text(content)
    with pytest.raises(BuildError, match=sentence):
        build_all(tmp_path / "models.yaml", BASELINES, tmp_path, lambda line: None)


def test_models_may_share_an_archive(models_file: Path, store: Path, tmp_path: Path) -> None:
    [entry] = yaml.safe_load(models_file.read_text())["models"]
    (tmp_path / "models.yaml").write_text(yaml.safe_dump({"models": [entry, {**entry, "name": "another"}]}))
    lines: list[str] = []
    assert build_all(tmp_path / "models.yaml", BASELINES, store, lines.append) == 0
    assert lines == ["sentiment-minilm: up to date"]


LAYER = "bert.encoder.layer.1."


def changed_config(folder: Path, **settings: object) -> None:
    config = json.loads((folder / "config.json").read_text())
    (folder / "config.json").write_text(json.dumps({**config, **settings}))


@pytest.mark.parametrize(
    ("settings", "reason"),
    [
        ({"num_hidden_layers": 8_000}, "says num_hidden_layers: 8,000"),
        ({"num_hidden_layers": 30}, "asks for .* numbers"),
        ({"intermediate_size": 10**9}, "asks for .* numbers"),
        ({"vocab_size": 10**18, "hidden_size": 10**6}, "do not fit together|asks for .* numbers"),
        ({"vocab_size": 30_000}, "do not fit together"),
        ({"num_attention_heads": 7}, "do not fit together"),
        ({"model_type": "unheard-of"}, "do not fit together"),
    ],
)
def test_a_configuration_that_asks_for_more_than_the_weights_hold_is_refused_at_once(
    settings: dict[str, object], reason: str, tiny_checkpoint: Path, tmp_path: Path
) -> None:
    changed_config(tiny_checkpoint, **settings)
    with pytest.raises(BuildError, match=reason):
        make(tiny_checkpoint, tmp_path / "tiny.mar")


def test_every_tensor_must_be_in_the_weights(tiny_checkpoint: Path, tmp_path: Path) -> None:
    tensors = load_file(tiny_checkpoint / "model.safetensors")
    padding = sum(tensor.size for name, tensor in tensors.items() if name.startswith(LAYER))
    kept = {name: tensor for name, tensor in tensors.items() if not name.startswith(LAYER)}
    kept["unused"] = np.zeros(padding, np.float32)
    save_file(kept, tiny_checkpoint / "model.safetensors", metadata={"format": "pt"})
    with pytest.raises(BuildError, match=f"lacks {LAYER}"):
        make(tiny_checkpoint, tmp_path / "tiny.mar")
