"""`dynabench models init`, `package` and `check`, as far as they go without a TorchServe."""

import json
import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
from dynabench_archives.digests import hex_digest
from dynabench_archives.scanning import ScanKind, ScanLimits, read_text, scan_archive
from dynabench_archives.serving_contract import ModelShape, conformance_cases, find_case_flaws
from typer.testing import Result

from services.client.tests.stub_platform import StubPlatform
from services.toolkit.tests.packed_projects import LABELS, SHAPES, ask_worker, new_project, packed_project
from tests import hostile_archives as hostile

Run = Callable[..., Result]
TASK: Mapping[str, Any] = {
    "slug": "sentiment",
    "title": "Sentiment",
    "context": [{"name": "prompt", "type": "string"}],
    "input": [
        {"name": "statement", "type": "string"},
        {"name": "label", "type": "multiclass", "labels": list(LABELS)},
    ],
    "output": [{"name": "label", "type": "multiclass", "labels": list(LABELS)}],
    "instance": {"text": "statement"},
}
CHECKPOINT: Mapping[str, bytes] = {
    "config.json": json.dumps(
        {"architectures": ["BertForSequenceClassification"], "id2label": dict(enumerate(LABELS))}
    ).encode(),
    "model.safetensors": hostile.weights(),
    "tokenizer.json": b"{}",
    "tokenizer_config.json": b"{}",
}
NO_PROFILE = Path("nowhere.json")


def write(folder: Path, files: Mapping[str, bytes]) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    for name, content in files.items():
        (folder / name).write_bytes(content)
    return folder


def options(shape: ModelShape) -> list[str]:
    fields = [word for field in shape.fields for word in ("--field", field)]
    labels = [word for label in shape.labels for word in ("--label", label)]
    return ["--task-type", shape.task_type, *fields, *labels]


@pytest.mark.parametrize("task_type", SHAPES)
def test_a_new_project_works_as_it_is(run: Run, stub: StubPlatform, tmp_path: Path, task_type: str) -> None:
    shape, folder, archive = SHAPES[task_type], tmp_path / "mine", tmp_path / "mine.mar"
    made = run("models", "init", str(folder), *options(shape), "--json", profile=NO_PROFILE)
    assert made.exit_code == 0, made.stderr
    assert json.loads(made.stdout)["files"] == [
        *("README.md", "dynabench.json", "handler.py", "model.json", "model.py"),
    ]
    packed = run("models", "package", str(folder), "-o", str(archive), "--json", profile=NO_PROFILE)
    document = json.loads(packed.stdout)
    assert (document["kind"], document["digest"]) == ("code", f"sha256:{hex_digest(archive)}")
    cases = conformance_cases(shape)
    answers = ask_worker(archive, tmp_path / "unpacked", [case.request for case in cases])
    for case, (status, body) in zip(cases, answers, strict=True):
        assert find_case_flaws(shape, case, status, body) == (), case.name
    checked = run("models", "check", str(archive), "--static", "--json", profile=NO_PROFILE)
    assert checked.exit_code == 0, checked.stderr
    assert [step["state"] for step in json.loads(checked.stdout)["steps"]] == ["passed"] * 4 + ["not_run"] * 2
    assert stub.requests == []


def test_a_task_tells_the_shape_of_its_models(run: Run, stub: StubPlatform, tmp_path: Path) -> None:
    stub.tell("GET", "/annotation/v1/tasks/sentiment", {"slug": "sentiment", "configuration": TASK})
    folder, archive = tmp_path / "my model", tmp_path / "mine.mar"
    made = run("models", "init", "--task", "sentiment", str(folder), "--json")
    assert made.exit_code == 0, made.stderr
    said = json.loads((folder / "dynabench.json").read_text())
    assert said == {
        "name": "my-model",
        "version": "1",
        "task": "sentiment",
        "task_type": "text-classification",
        "fields": ["text"],
        "labels": list(LABELS),
    }
    assert run("models", "package", str(folder), "-o", str(archive)).exit_code == 0
    fits = run("models", "check", str(archive), "--static", "--task", "sentiment", "--json")
    contract = json.loads(fits.stdout)["steps"][3]
    assert (contract["step"], contract["reason"]) == (
        "contract",
        "it reads what the task sends and answers with its labels",
    )
    other = {**TASK, "instance": {"sentence": "statement"}}
    stub.tell("GET", "/annotation/v1/tasks/sentiment", {"slug": "sentiment", "configuration": other})
    misfit = run("models", "check", str(archive), "--static", "--task", "sentiment")
    assert misfit.exit_code == 1
    assert "it reads text; the task sends sentence" in misfit.stderr


@pytest.mark.parametrize(
    ("arguments", "what", "remedy"),
    [
        ((), "Nothing says what the model is for", "--task-type"),
        (("--task-type", "poetry"), "'poetry' is none of", "--task-type"),
        (("--task-type", "text-classification"), "has at least two", "--label"),
        (("--task-type", "text-pair-classification", "--field", "a"), "reads 2 texts", "--field"),
        (("--task-type", "extractive-qa", "--label", "a"), "has none", "--label"),
        (("--task", "sentiment"), "nowhere.json can't be read", "dynabench login"),
    ],
)
def test_a_shape_that_is_not_known_is_asked_for(
    run: Run, tmp_path: Path, arguments: tuple[str, ...], what: str, remedy: str
) -> None:
    result = run("models", "init", str(tmp_path / "mine"), *arguments, profile=NO_PROFILE)
    assert (result.exit_code, result.stdout) == (1, "")
    assert what in result.stderr
    assert remedy in result.stderr
    assert not (tmp_path / "mine").exists()


def test_a_folder_that_is_not_empty_is_left_alone(run: Run, tmp_path: Path) -> None:
    write(tmp_path / "mine", {"thesis.txt": b"words"})
    result = run("models", "init", str(tmp_path / "mine"), *options(SHAPES["extractive-qa"]))
    assert result.exit_code == 1
    assert "it is not empty" in result.stderr
    assert [path.name for path in (tmp_path / "mine").iterdir()] == ["thesis.txt"]


def test_a_checkpoint_is_packed_as_data(run: Run, tmp_path: Path) -> None:
    folder, archive = write(tmp_path / "checkpoint", CHECKPOINT), tmp_path / "mine.mar"
    arguments = ("models", "package", str(folder), "-o", str(archive))
    result = run(*arguments, "--task-type", "text-classification")
    assert result.exit_code == 0, result.stderr
    assert "then\tdeclarative: runs without approval" in result.stdout
    report = scan_archive(archive, ScanLimits())
    assert (report.kind, report.findings) == (ScanKind.DECLARATIVE, ())
    assert report.description is not None
    assert (report.description.fields, report.description.labels) == (("text",), LABELS)
    first = archive.read_bytes()
    again = write(tmp_path / "elsewhere", dict(sorted(CHECKPOINT.items(), reverse=True)))
    os.utime(again / "config.json", (1, 1))
    other = tmp_path / "other.mar"
    run("models", "package", str(again), "-o", str(other), "--task-type", "text-classification")
    assert other.read_bytes() == first


@pytest.mark.parametrize(
    ("changes", "what", "remedy"),
    [
        ({"model.safetensors": None}, "model.safetensors: it is missing", "save_pretrained"),
        (
            {"model.safetensors": None, "pytorch_model.bin": hostile.pickled()},
            "pytorch_model.bin is not read",
            "AutoModelForSequenceClassification",
        ),
        (
            {"model.safetensors": None, "model.onnx": b"x"},
            "model.onnx is not read",
            "handler.py that runs it",
        ),
        ({"model.safetensors": None, "adapter_model.safetensors": b""}, "is not read", "merge_and_unload"),
        (
            {"model.safetensors": None, "model-00001-of-00002.safetensors": b""},
            "is not read",
            "max_shard_size",
        ),
        ({"tokenizer.json": None}, "tokenizer.json: it is missing", "fast tokenizer"),
        ({"modeling.py": b""}, "modeling.py: it is code", "handler.py"),
        ({"config.json": b"{}"}, "its classes are not named in id2label", "--label negative"),
        (
            {"config.json": b'{"id2label": {"0": "LABEL_0", "1": "LABEL_1"}}'},
            "its 2 classes are not named in id2label",
            "--label negative",
        ),
        ({"config.json": b'{"id2label": {"0": "a", "2": "b"}}'}, "does not name the classes", "id2label"),
        ({"config.json": b"no"}, "config.json: it is no JSON", "save_pretrained"),
        ({"config.json": b'{"auto_map": {"AutoModel": "x"}}'}, "asks for code of its own", "architecture"),
        ({"dynabench.json": b'{"labels": ["a", "b"]}'}, "says a, b", "id2label"),
        ({"dynabench.json": b'{"fields": "text"}'}, "fields is no list of texts", '"fields"'),
        ({"dynabench.json": b'{"fields": []'}, "dynabench.json: it is no JSON", "Correct it"),
        ({"config.json": None}, "it has neither handler.py nor a checkpoint", "models init"),
        ({"model.safetensors": b"x" * 100}, "its header claims", "safe_serialization"),
    ],
)
def test_a_folder_that_can_not_be_packed_is_refused_with_a_remedy(
    run: Run, tmp_path: Path, changes: Mapping[str, bytes | None], what: str, remedy: str
) -> None:
    files = {name: content for name, content in {**CHECKPOINT, **changes}.items() if content is not None}
    folder, archive = write(tmp_path / "checkpoint", files), tmp_path / "mine.mar"
    result = run(
        *("models", "package", str(folder), "-o", str(archive), "--task-type", "text-classification")
    )
    assert (result.exit_code, result.stdout) == (1, "")
    assert what in result.stderr
    assert remedy in result.stderr
    assert not archive.exists()


@pytest.mark.parametrize("id2label", [None, {"0": "LABEL_0", "1": "LABEL_1", "2": "LABEL_2"}])
def test_classes_without_names_are_given_those_that_are_said(
    run: Run, tmp_path: Path, id2label: dict[str, str] | None
) -> None:
    """transformers leaves out what it would name the classes itself: LABEL_0, LABEL_1."""
    config = {
        "architectures": ["BertForSequenceClassification"],
        **({"id2label": id2label} if id2label else {}),
    }
    folder = write(tmp_path / "checkpoint", {**CHECKPOINT, "config.json": json.dumps(config).encode()})
    archive, said = tmp_path / "mine.mar", [word for label in LABELS[::-1] for word in ("--label", label)]
    result = run(
        "models", "package", str(folder), "-o", str(archive), "--task-type", "text-classification", *said
    )
    assert result.exit_code == 0, result.stderr
    named = json.loads(read_text(archive, "config.json", 10_000) or "")
    assert named["id2label"] == {"0": LABELS[2], "1": LABELS[1], "2": LABELS[0]}
    description = scan_archive(archive, ScanLimits()).description
    assert description is not None
    assert description.labels == LABELS[::-1]
    assert json.loads((folder / "config.json").read_text()) == config


def test_what_lies_beside_a_checkpoint_is_left_out_and_named(run: Run, tmp_path: Path) -> None:
    beside = {
        "pytorch_model.bin": hostile.pickled(),
        "training_args.bin": hostile.pickled(),
        "Thumbs.db": b"x",
    }
    folder, archive = write(tmp_path / "checkpoint", {**CHECKPOINT, **beside}), tmp_path / "mine.mar"
    write(folder / "__MACOSX", {"._config.json": b"x"})
    write(folder / "onnx", {"model.onnx": b"x"})
    result = run("models", "package", str(folder), "-o", str(archive), "--task-type", "text-classification")
    assert result.exit_code == 0, result.stderr
    assert "Left out: onnx/model.onnx, pytorch_model.bin, training_args.bin" in result.stderr
    assert scan_archive(archive, ScanLimits()).kind is ScanKind.DECLARATIVE


def test_an_archive_of_torch_model_archiver_is_packaged_again_from_its_folder(
    run: Run, tmp_path: Path
) -> None:
    model = {"handler": "mine.py:handle", "serializedFile": "weights.pt", "configFile": "model.yaml"}
    folder, archive = tmp_path / "unpacked", tmp_path / "mine.mar"
    write(folder / "MAR-INF", {"MANIFEST.json": json.dumps({"model": {**model, "modelName": "x"}}).encode()})
    write(
        folder, {"mine.py": b"pass", "weights.pt": b"x", "model.yaml": b"a: 1", "requirements.txt": b"spacy"}
    )
    said = ["--task-type", "text-classification", "--label", "a", "--label", "b"]
    result = run("models", "package", str(folder), "-o", str(archive), *said)
    assert result.exit_code == 0, result.stderr
    assert "Nothing of it is installed. There are torch, transformers" in result.stderr
    written = json.loads(read_text(archive, "MAR-INF/MANIFEST.json", 10_000) or "")["model"]
    assert written == {**model, "modelName": "model", "modelVersion": "1"}
    assert scan_archive(archive, ScanLimits()).kind is ScanKind.CODE


def test_dynabench_json_may_name_what_torchserve_loads(run: Run, tmp_path: Path) -> None:
    said = {"task_type": "text-classification", "labels": list(LABELS), "serializedFile": "weights.pt"}
    files = {"handler.py": b"pass", "weights.pt": b"x", "dynabench.json": json.dumps(said).encode()}
    archive = tmp_path / "mine.mar"
    result = run("models", "package", str(write(tmp_path / "mine", files)), "-o", str(archive))
    assert result.exit_code == 0, result.stderr
    manifest = json.loads(read_text(archive, "MAR-INF/MANIFEST.json", 10_000) or "")
    assert manifest["model"]["serializedFile"] == "weights.pt"


def test_what_a_model_is_for_must_be_said(run: Run, tmp_path: Path) -> None:
    folder = write(tmp_path / "checkpoint", CHECKPOINT)
    result = run("models", "package", str(folder), "-o", str(tmp_path / "mine.mar"))
    assert "nothing says what the model is for" in result.stderr
    assert "--task-type" in result.stderr


@pytest.mark.parametrize("name", ["a text", "two names", "a link", "no description", "weights with a gap"])
def test_what_the_server_refuses_is_refused_here(run: Run, tmp_path: Path, name: str) -> None:
    data, code = hostile.refused()[name]
    archive = tmp_path / "mine.mar"
    archive.write_bytes(data)
    result = run("models", "check", str(archive), "--json", profile=NO_PROFILE)
    assert result.exit_code == 1
    steps = json.loads(result.stdout)["steps"]
    (failed,) = [step for step in steps if step["state"] == "failed"]
    refusals = [finding for finding in scan_archive(archive, ScanLimits()).findings if finding.is_refusal]
    assert {finding.code for finding in refusals} == {code}
    assert refusals[0].reason in failed["reason"]
    assert failed["remedy"] == refusals[0].remedy
    assert steps[-1]["state"] == "not_run"


def test_without_a_torchserve_it_says_what_was_not_run(run: Run, tmp_path: Path) -> None:
    archive = packed_project(new_project(tmp_path / "mine", SHAPES["extractive-qa"]), tmp_path / "mine.mar")
    python = tmp_path / "bin" / "python"
    result = run("models", "check", str(archive), "--serving-python", str(python))
    assert result.exit_code == 1
    assert [line[0] for line in result.stdout.splitlines()] == ["✓", "✓", "✓", "✓", "–", "–"]
    assert f"Not run: served, answers: {python} has no TorchServe." in result.stderr
    assert "pip install torch torchserve" in result.stderr
