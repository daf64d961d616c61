"""Handlers written for dynalab, of the original platform, keep the contract behind the adapter."""

import json
from pathlib import Path
from typing import Any

import pytest
from dynabench_archives.serving_contract import ModelShape, conformance_cases, find_case_flaws

from services.toolkit.tests.packed_projects import SHAPES, ask_worker, new_project, packed_project

# As dynalab's template lays a handler out: steps of a class, and a function around them.
HANDLER = """
from dynalab.handler.base_handler import BaseDynaHandler
from dynalab.tasks.task_io import TaskIO, ROOTPATH


class Handler(BaseDynaHandler):
    def initialize(self, context):
        self.taskIO = TaskIO("nli")
        model_pt_path, folder, device = self._handler_initialize(context)
        assert device == "cpu" and model_pt_path.startswith(folder)
        self.initialized = True

    def preprocess(self, data):
        return self._read_data(data)

    def inference(self, example):
        assert example["uid"]
        {inference}

    def postprocess(self, output, data):
        response = {{"id": self._read_data(data)["uid"], **output}}
        self.taskIO.sign_response(response, self._read_data(data))
        return [response]


_service = Handler()
"""
FUNCTION = """

def handle(data, context{more}):
    if not _service.initialized:
        _service.initialize(context)
    if data is None:
        return None
    return _service.postprocess(_service.inference(_service.preprocess(data)), data)
"""
NLI = """share = min(1.0, len(example["hypothesis"]) / (len(example["context"]) + 200))
        return {"label": "entailed", "prob": {"entailed": 1 - share, "contradictory": share, "neutral": 0}}"""
SENTIMENT = """return {"label": "positive" if len(example["statement"]) > 1 else "negative"}"""
SHARE_OF_ONE = """return {"label": "neutral", "prob": 0.5}"""
SEVERAL = """return {"label": ["sport"], "prob": {"sport": 0.75, "economy": 0.25}}"""
ANSWER = """return {"answer": " ".join(example["context"].lower().split()[:2]), "conf": 0.5}"""
PAIR, ONE = SHAPES["text-pair-classification"], SHAPES["text-classification"]


def asked(tmp_path: Path, shape: ModelShape, source: str) -> list[tuple[int, Any]]:
    handler = tmp_path / "my_handler.py"
    handler.write_text(source)
    folder = new_project(tmp_path / "mine", shape, handler)
    assert (folder / "dynalab_handler.py").read_text() == source
    archive = packed_project(folder, tmp_path / "mine.mar")
    return ask_worker(archive, tmp_path / "unpacked", [case.request for case in conformance_cases(shape)])


@pytest.mark.parametrize(
    ("shape", "inference", "ending"),
    [
        (PAIR, NLI, FUNCTION.format(more="")),
        (PAIR, NLI, FUNCTION.format(more=", task_info_path")),
        (PAIR, NLI, ""),
        (ONE, SENTIMENT, FUNCTION.format(more="")),
        (ONE, SHARE_OF_ONE, FUNCTION.format(more="")),
        (SHAPES["multilabel-classification"], SEVERAL, ""),
        (SHAPES["extractive-qa"], ANSWER, FUNCTION.format(more="")),
    ],
)
def test_an_old_handler_keeps_the_contract(
    tmp_path: Path, shape: ModelShape, inference: str, ending: str
) -> None:
    answers = asked(tmp_path, shape, HANDLER.format(inference=inference) + ending)
    for case, (status, body) in zip(conformance_cases(shape), answers, strict=True):
        assert find_case_flaws(shape, case, status, body) == (), case.name


def test_labels_and_probabilities_are_those_of_the_task(tmp_path: Path) -> None:
    (_, first), *_ = asked(tmp_path, PAIR, HANDLER.format(inference=NLI) + FUNCTION.format(more=""))
    (prediction,) = first["predictions"]
    assert prediction["label"] == "entailment"
    assert set(prediction["probabilities"]) == set(PAIR.labels)


def test_an_answer_in_lower_case_is_found_in_the_passage(tmp_path: Path) -> None:
    answers = asked(tmp_path, SHAPES["extractive-qa"], HANDLER.format(inference=ANSWER))
    assert answers[0][1]["predictions"] == [{"start": 0, "end": 10, "text": "The bridge", "probability": 0.5}]


def test_an_unknown_label_is_an_error_of_its_instance(tmp_path: Path) -> None:
    source = HANDLER.format(inference='return {"label": "x"}') + FUNCTION.format(more="")
    status, body = asked(tmp_path, ONE, source)[0]
    assert (status, body["predictions"][0]["error"]["type"]) == (200, "prediction_failed")


def test_names_of_old_stand_in_the_project(tmp_path: Path) -> None:
    asked(tmp_path, PAIR, HANDLER.format(inference=NLI))
    said = json.loads((tmp_path / "mine" / "dynabench.json").read_text())["dynalab"]
    assert said["request"] == {"context": "premise", "hypothesis": "hypothesis"}
    assert said["labels"]["contradictory"] == "contradiction"
