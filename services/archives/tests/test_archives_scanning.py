"""The scan: data, code and refusals, on the hostile set and on archives changed at random."""

import hashlib
import json
import sys
import zipfile
from pathlib import Path

import pytest
from dynabench_archives.scanning import (
    ScanKind,
    ScanLimits,
    ScanReport,
    extract_data,
    open_archive,
    read_text,
    scan_archive,
)
from dynabench_archives.scanning.contents import INSTALLED, weights_remedy
from dynabench_archives.scanning.report import ArchiveRefused
from hypothesis import given
from hypothesis import strategies as st

from tests import hostile_archives as hostile

LIMITS = ScanLimits()
ROOT = Path(__file__).resolve().parents[3]
REFUSED = hostile.refused()


def scan(folder: Path, data: bytes) -> ScanReport:
    path = folder / "archive.mar"
    path.write_bytes(data)
    return scan_archive(path, LIMITS)


def codes(report: ScanReport, *, refusals: bool) -> set[str]:
    return {finding.code for finding in report.findings if finding.is_refusal is refusals}


def test_weights_tokenizer_and_configuration_are_data(tmp_path: Path) -> None:
    report = scan(tmp_path, hostile.packed(hostile.declarative()))
    assert report.kind is ScanKind.DECLARATIVE
    assert report.findings == ()
    assert {entry.path: entry.kind for entry in report.entries} == {
        "MAR-INF/MANIFEST.json": "manifest",
        "config.json": "configuration",
        "dynabench.json": "description",
        "model.safetensors": "weights",
        "tokenizer.json": "tokenizer",
    }
    assert report.description is not None
    assert report.description.labels == hostile.LABELS
    digests = {entry.path: entry.sha256 for entry in report.entries}
    assert digests["tokenizer.json"] == hashlib.sha256(b"{}").hexdigest()


@pytest.mark.parametrize("method", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED])
def test_the_digest_of_contents_does_not_depend_on_packing(tmp_path: Path, method: int) -> None:
    entries = hostile.declarative()
    backwards = dict(sorted(entries.items(), reverse=True))
    first = scan(tmp_path, hostile.packed(entries)).content_digest
    assert scan(tmp_path, hostile.packed(backwards, method)).content_digest == first


def test_a_graph_is_not_used_and_is_reported(tmp_path: Path) -> None:
    report = scan(tmp_path, hostile.packed({**hostile.declarative(), "model.onnx": b"graph"}))
    assert report.kind is ScanKind.DECLARATIVE
    assert codes(report, refusals=False) == {"graph-dropped"}


@pytest.mark.parametrize(
    ("path", "content", "code"),
    [
        ("handler.py", b"print()", "code"),
        ("dynabench_handlers/wire.py", b"import os", "code"),
        ("dynabench_handler.py", b"import os", "code"),
        ("pytorch_model.bin", hostile.pickled(), "pickle"),
        ("other.dat", hostile.pickled(), "pickle"),
        ("training_args.bin", hostile.torch_pickle(), "pickle"),
        ("lib.so", b"\x7fELF", "code"),
        ("inner.zip", hostile.packed({"x": b"y"}), "code"),
        ("model-00002.safetensors", hostile.weights(), "code"),
        ("sub/config.json", b"{}", "code"),
        ("tokenizer_config.json", json.dumps({"auto_map": {"AutoTokenizer": "x.Y"}}).encode(), "remote-code"),
        ("generation_config.json", json.dumps({"a": [{"trust_remote_code": True}]}).encode(), "remote-code"),
    ],
)
def test_anything_else_makes_an_archive_code(tmp_path: Path, path: str, content: bytes, code: str) -> None:
    entries = {**hostile.declarative(), hostile.MANIFEST: hostile.manifest("handler.py"), "handler.py": b""}
    report = scan(tmp_path, hostile.packed({**entries, path: content}))
    assert report.kind is ScanKind.CODE
    assert code in codes(report, refusals=False)


@pytest.mark.parametrize(
    ("entries", "left_out"),
    [
        ({".DS_Store": b"\x00\x00\x00\x01Bud1"}, {".DS_Store"}),
        (
            {"__MACOSX/._config.json": b"\x00\x05\x16\x07", "._handler.py": b""},
            {"__MACOSX/._config.json", "._handler.py"},
        ),
        ({"Thumbs.db": b"x", "sub/desktop.ini": b"x"}, {"Thumbs.db", "sub/desktop.ini"}),
        ({"pytorch_model.bin": hostile.pickled()}, {"pytorch_model.bin"}),
        ({"training_args.bin": hostile.torch_pickle()}, {"training_args.bin"}),
        (
            {"onnx/model.onnx": b"graph", "sentencepiece.bpe.model": b"x"},
            {"onnx/model.onnx", "sentencepiece.bpe.model"},
        ),
        ({"requirements.txt": b"torch\n"}, {"requirements.txt"}),
    ],
)
def test_further_files_of_a_whole_model_are_left_out(
    tmp_path: Path, entries: dict[str, bytes], left_out: set[str]
) -> None:
    """Only data is ever unpacked, so files that nothing reads make no program of an archive."""
    report = scan(tmp_path, hostile.packed({**hostile.declarative(), **entries}))
    assert report.kind is ScanKind.DECLARATIVE
    assert {(found.code, found.path) for found in report.findings} == {
        ("left-out", path) for path in left_out
    }
    folder = tmp_path / "data"
    folder.mkdir()
    extract_data(tmp_path / "archive.mar", report, folder)
    assert {path.name for path in folder.iterdir()} == {"config.json", "model.safetensors", "tokenizer.json"}


@pytest.mark.parametrize(
    "entries",
    [
        {"evil.py": b"import os"},
        {"lib.so": b"\x7fELF"},
        {"tokenizer_config.json": b'{"auto_map": {"a": "b"}}'},
    ],
)
def test_a_program_that_no_manifest_names_is_not_passed_over(
    tmp_path: Path, entries: dict[str, bytes]
) -> None:
    report = scan(tmp_path, hostile.packed({**hostile.declarative(), **entries}))
    (refusal,) = [found for found in report.findings if found.is_refusal]
    assert (report.kind, refusal.code) == (ScanKind.REFUSED, "handler-missing")
    assert "take out" in refusal.remedy


@pytest.mark.parametrize("handler", ["handler.py:handle", "handler:handle", "handler", "handler.py"])
def test_a_handler_may_name_its_function(tmp_path: Path, handler: str) -> None:
    report = scan(
        tmp_path, hostile.packed({**hostile.with_code("pass"), hostile.MANIFEST: hostile.manifest(handler)})
    )
    assert (report.kind, report.handler) == (ScanKind.CODE, handler.partition(":")[0])


@pytest.mark.parametrize("handler", ["handler.py:", "handler.py:a b", "handler.py:a:b", "/handler.py:handle"])
def test_a_function_is_named_as_in_python(tmp_path: Path, handler: str) -> None:
    entries = {**hostile.with_code("pass"), hostile.MANIFEST: hostile.manifest(handler)}
    assert "handler-outside" in codes(scan(tmp_path, hostile.packed(entries)), refusals=True)


def test_requested_packages_are_not_installed_and_are_reported(tmp_path: Path) -> None:
    asking = json.loads(hostile.manifest("handler.py"))
    asking["model"]["requirementsFile"] = "requirements.txt"
    entries = {**hostile.with_code("pass"), hostile.MANIFEST: json.dumps(asking).encode()}
    report = scan(tmp_path, hostile.packed({**entries, "requirements.txt": b"spacy\n"}))
    (note,) = [found for found in report.findings if found.code == "requirements"]
    assert report.kind is ScanKind.CODE
    assert "transformers" in note.remedy
    locked = (ROOT / "deploy" / "requirements" / "serving.txt").read_text() + "torch=="
    assert [name for name in INSTALLED if f"{name}==" not in locked] == []


@pytest.mark.parametrize("extra_entries", [{}, {"__MACOSX/mine/._config.json": b""}])
def test_a_zipped_folder_is_named_as_such(tmp_path: Path, extra_entries: dict[str, bytes]) -> None:
    entries = {f"mine/{name}": content for name, content in hostile.declarative().items()}
    report = scan(tmp_path, hostile.packed({**entries, **extra_entries}))
    (refusal,) = [found for found in report.findings if found.is_refusal]
    assert (refusal.code, "dynabench models package mine" in refusal.remedy) == ("folder", True)


@pytest.mark.parametrize(
    ("name", "remedy"),
    [
        ("pytorch_model.bin", "save_pretrained"),
        ("model.onnx", "models init"),
        ("onnx/model_quantized.onnx", "models init"),
        ("model-00001-of-00002.safetensors", "max_shard_size"),
        ("adapter_model.safetensors", "merge_and_unload"),
        ("tf_model.h5", "from_tf"),
        ("flax_model.msgpack", "from_flax"),
    ],
)
def test_other_weights_have_a_remedy_of_their_own(name: str, remedy: str) -> None:
    assert remedy in weights_remedy(["config.json", name])


def test_evidence_about_pickles_names_what_they_import(tmp_path: Path) -> None:
    entries = {**hostile.with_code("pass"), "a.bin": hostile.pickled(), "b.pt": hostile.torch_pickle()}
    report = scan(tmp_path, hostile.packed(entries))
    reasons = [finding.reason for finding in report.findings if finding.code == "pickle"]
    assert len(reasons) == 2
    assert all("system" in reason for reason in reasons)


@pytest.mark.parametrize("name", REFUSED)
def test_each_hostile_archive_is_refused_for_its_own_reason(tmp_path: Path, name: str) -> None:
    data, code = REFUSED[name]
    report = scan(tmp_path, data)
    assert report.kind is ScanKind.REFUSED
    assert codes(report, refusals=True) == {code}
    (first,) = [finding for finding in report.findings if finding.is_refusal][:1]
    assert first.reason
    assert first.remedy


@pytest.mark.parametrize(
    "name", ["no bytes", "a renamed tar", "a bomb", "two names", "a link", "a path above"]
)
def test_what_can_not_be_read_safely_is_refused_before_anything_is_unpacked(
    tmp_path: Path, name: str
) -> None:
    path = tmp_path / "archive.mar"
    path.write_bytes(REFUSED[name][0])
    (finding,) = open_archive(path, LIMITS)
    assert finding.code == REFUSED[name][1]


def test_everything_that_is_wrong_with_entries_is_found_at_once(tmp_path: Path) -> None:
    path = tmp_path / "archive.mar"
    entries = {"../above.txt": b"", "a b/con": b"", "A.txt": b"1", "a.txt": b"2", "fine.txt": b""}
    path.write_bytes(hostile.packed(entries))
    found = open_archive(path, LIMITS)
    assert {(each.code, each.path) for each in found} == {
        ("path-escape", "../above.txt"),
        ("name", "a b/con"),
        ("duplicate-name", "a.txt"),
    }
    assert scan_archive(path, LIMITS).findings[: len(found)] == found


def test_a_good_archive_opens(tmp_path: Path) -> None:
    path = tmp_path / "archive.mar"
    path.write_bytes(hostile.packed(hostile.declarative(), zipfile.ZIP_DEFLATED))
    assert open_archive(path, LIMITS) == ()


def test_archives_that_are_written_as_they_are_sent_can_be_read(tmp_path: Path) -> None:
    """Without sizes before each entry, as streams write them."""
    path = tmp_path / "archive.mar"
    with path.open("wb") as file, zipfile.ZipFile(Unseekable(file), "w", zipfile.ZIP_DEFLATED) as archive:  # type: ignore[call-overload]
        for name, content in hostile.declarative().items():
            archive.writestr(name, content)
    assert scan_archive(path, LIMITS).kind is ScanKind.DECLARATIVE


class Unseekable:
    """A file that can only be written on."""

    def __init__(self, file: object) -> None:
        self._file = file

    def write(self, data: bytes) -> int:
        return int(self._file.write(data))  # type: ignore[attr-defined]

    def flush(self) -> None:
        self._file.flush()  # type: ignore[attr-defined]


def test_large_archives_need_no_limit_of_32_bits(tmp_path: Path) -> None:
    path = tmp_path / "archive.mar"
    with zipfile.ZipFile(path, "w") as archive:
        for name, content in hostile.declarative().items():
            with archive.open(zipfile.ZipInfo(name), "w", force_zip64=True) as entry:
                entry.write(content)
    assert scan_archive(path, LIMITS).kind is ScanKind.DECLARATIVE


@given(st.data())
def test_whatever_is_changed_the_scan_answers(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    method = data.draw(st.sampled_from([zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED]))
    archive = bytearray(hostile.packed({**hostile.declarative(), "handler.py": b"pass\n" * 50}, method))
    for _ in range(data.draw(st.integers(1, 6))):
        archive[data.draw(st.integers(0, len(archive) - 1))] = data.draw(st.integers(0, 255))
    cut = data.draw(st.one_of(st.just(len(archive)), st.integers(0, len(archive))))
    path = tmp_path_factory.mktemp("changed") / "archive.mar"
    path.write_bytes(bytes(archive[:cut]))
    report = scan_archive(path, LIMITS)
    assert report.kind in ScanKind
    opened = open_archive(path, LIMITS)
    assert not opened or report.kind is ScanKind.REFUSED


def test_only_data_is_taken_out(tmp_path: Path) -> None:
    path, folder = tmp_path / "archive.mar", tmp_path / "data"
    folder.mkdir()
    entries = {**hostile.declarative(), "model.onnx": b"graph", "README.md": b"# Tiny"}
    path.write_bytes(hostile.packed(entries))
    extract_data(path, scan_archive(path, LIMITS), folder)
    assert sorted(found.name for found in folder.iterdir()) == [
        "config.json",
        "model.safetensors",
        "tokenizer.json",
    ]
    assert (folder / "model.safetensors").read_bytes() == hostile.weights()


def test_archives_with_code_are_not_unpacked(tmp_path: Path) -> None:
    path = tmp_path / "archive.mar"
    path.write_bytes(hostile.packed(hostile.with_code("pass")))
    with pytest.raises(ArchiveRefused, match="data alone"):
        extract_data(path, scan_archive(path, LIMITS), tmp_path)


def test_an_archive_that_changed_after_the_scan_is_not_unpacked(tmp_path: Path) -> None:
    path, folder = tmp_path / "archive.mar", tmp_path / "data"
    folder.mkdir()
    path.write_bytes(hostile.packed(hostile.declarative()))
    report = scan_archive(path, LIMITS)
    path.write_bytes(hostile.packed(hostile.declarative(**{"config.json": b'{"other": 1}'})))
    with pytest.raises(ArchiveRefused, match="not what was scanned"):
        extract_data(path, report, folder)


def test_texts_of_entries_are_shown_and_nothing_else(tmp_path: Path) -> None:
    path = tmp_path / "archive.mar"
    path.write_bytes(hostile.packed({**hostile.with_code("x = 'ä'"), "a.bin": b"\xff\xfe"}))
    assert read_text(path, "handler.py", 1_000) == "x = 'ä'"
    assert read_text(path, "handler.py", 3) is None
    assert read_text(path, "a.bin", 1_000) is None
    assert read_text(path, "other", 1_000) is None


def test_the_platform_knows_its_own_handlers() -> None:
    """If this fails after a change of a handler, run .venv/bin/python scripts/publish_handlers.py."""
    sys.path.insert(0, str(ROOT / "scripts"))
    import publish_handlers

    assert publish_handlers.missing() == []


def test_an_archive_packaged_by_the_platform_is_data(tmp_path: Path) -> None:
    sys.path.insert(0, str(ROOT / "scripts"))
    import publish_handlers

    known = {f"{digest} {path}" for digest, path in publish_handlers.current_handlers()}
    from model_archives.packaging import handler_entries

    entries = {
        path: content if isinstance(content, bytes) else content.read_bytes()
        for path, content in handler_entries("text-classification").items()
    }
    assert len(known) >= len(entries)
    report = scan(tmp_path, hostile.packed({**hostile.declarative(), **entries}))
    assert report.kind is ScanKind.DECLARATIVE
