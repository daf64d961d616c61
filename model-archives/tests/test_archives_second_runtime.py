"""The second runtime's part without KServe: several archives in one process, requests read from tensors."""

import zipfile
from pathlib import Path
from typing import Any

import pytest
from model_archives.kserve_runtime.archives import UnfitArchive, load, unpack
from model_archives.kserve_runtime.tensors import UnreadableTensors, body_of, values_of

pytestmark = pytest.mark.slow


def test_an_archive_of_data_predicts_and_explains_by_its_name(store: Path, tmp_path: Path) -> None:
    folder = unpack(store / "sentiment-minilm.mar", tmp_path / "unpacked")
    predictor, explainer = load("sentiment-minilm", folder), load("sentiment-minilm-explain", folder)
    body = {"instances": [{"text": "Lovely."}, {"text": " "}]}
    status, answer = predictor.handle(body)
    assert status == 200
    assert [each.get("label") or each["error"]["type"] for each in answer["predictions"]] == [
        "positive",
        "empty_text",
    ]
    status, explained = explainer.handle(body | {"parameters": {"n_steps": 2}})
    assert (status, explained["explanations"][0]["label"]) == (200, "positive")
    assert explainer.handle(body | {"parameters": {"n_steps": 0}})[0] == 400
    other = tmp_path / "other"
    unpack(store / "sentiment-minilm.mar", other)
    (other / "dynabench_handlers" / "wire.py").write_text("MAX_CHARACTERS = 1\n")
    with pytest.raises(UnfitArchive, match="other handlers"):
        load("other", other)


@pytest.mark.parametrize("content", [b"", b"no archive", None])
def test_what_is_no_archive_of_data_is_named(content: bytes | None, tmp_path: Path) -> None:
    path = tmp_path / "code.mar"
    if content is None:
        with zipfile.ZipFile(path, "w") as archive:
            archive.writestr("MAR-INF/MANIFEST.json", '{"model": {"handler": "own.py"}}')
    else:
        path.write_bytes(content)
    with pytest.raises(UnfitArchive, match=r"code\.mar"):
        unpack(path, tmp_path / "unpacked")


def test_tensors_are_a_request() -> None:
    tensors = {"premise": ["a", "b"], "hypothesis": ["c", "d"]}
    fields = ("premise", "hypothesis")
    pairs = [{"premise": "a", "hypothesis": "c"}, {"premise": "b", "hypothesis": "d"}]
    assert body_of(tensors, {"binary_data_output": True}, fields, "nli") == {"instances": pairs}
    asked: dict[str, Any] = {"text": ["a"], "label": [""], "answer_start": [1], "answer_end": [2]}
    assert body_of(asked, {"n_steps": 3, "content_type": "str"}, ("text",), "qa-explain") == {
        "instances": [{"text": "a", "answer": {"start": 1, "end": 2}}],
        "parameters": {"n_steps": 3},
    }


@pytest.mark.parametrize(
    ("tensors", "reason"),
    [
        ({}, "text is missing"),
        ({"text": ["a"], "label": ["b"]}, "no tensor label"),
        ({"text": ["a"], "other": ["b"]}, "no tensor other"),
    ],
)
def test_tensors_of_another_model_are_named(tensors: dict[str, Any], reason: str) -> None:
    with pytest.raises(UnreadableTensors, match=reason):
        body_of(tensors, {}, ("text",), "words")
    with pytest.raises(UnreadableTensors, match="differ in length"):
        body_of({"a": ["x"], "b": []}, {}, ("a", "b"), "words")


def test_entries_are_passed_on_unchanged() -> None:
    assert values_of({"predictions": [{"label": "é", "p": 0.1}]}, "words") == [
        '{"label": "\\u00e9", "p": 0.1}'
    ]
    assert values_of({"explanations": [{"label": "a"}]}, "words-explain") == ['{"label": "a"}']
