"""PyTorch checkpoint → ONNX graph, refused where the two disagree.

An exporter can get a model wrong without an error (swapped inputs, a shape frozen at the example's), so the graph
is run on probe texts of many lengths, alone and padded in batches, before anybody is served by it.
"""

import logging
import warnings
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path

import numpy as np
import numpy.typing as npt
import onnx
import torch
from transformers import PreTrainedModel

from model_archives.errors import BuildError
from model_archives.handlers.classifier import load_classifier
from model_archives.handlers.onnx_predictor import OnnxPredictor
from model_archives.handlers.tokenisation import EncodedText

# A fiftieth of what could be seen on a page; float32 graphs agree to about 1e-6.
LARGEST_DIFFERENCE = 2e-4
EXAMPLE_SHAPE = (2, 16)
Matrix = npt.NDArray[np.float32]


def export_onnx(folder: Path, destination: Path) -> None:
    """Write the graph of the classifier in `folder`, without the exporter's notes on source files and stacks."""
    model = load_classifier(folder)
    names = ["input_ids", "attention_mask"]
    if getattr(model.config, "type_vocab_size", 0) > 1:
        names.append("token_type_ids")
    # One tensor per input: the exporter folds inputs that share a tensor into one.
    example = {name: torch.ones(EXAMPLE_SHAPE, dtype=torch.long) for name in names}
    axes = {0: torch.export.Dim("batch"), 1: torch.export.Dim("sequence")}
    logging.getLogger("torch.onnx").setLevel(logging.ERROR)
    try:
        with warnings.catch_warnings(), redirect_stdout(StringIO()):
            warnings.simplefilter("ignore")
            program = torch.onnx.export(
                model,
                kwargs=example,
                dynamic_shapes=dict.fromkeys(names, axes),
                output_names=["logits"],
                dynamo=True,
            )
    except torch.onnx.OnnxExporterError as error:
        raise BuildError(f"{type(model).__name__} cannot be exported to ONNX: {error}") from error
    if program is None:
        raise BuildError("the ONNX exporter returned nothing")
    graph = program.model_proto
    _strip_notes(graph)
    destination.write_bytes(graph.SerializeToString(deterministic=True))


def check_onnx(folder: Path, graph: Path, pad_id: int, probes: list[EncodedText]) -> float:
    """The largest difference of a probability; raises BuildError where a label differs or it is not tiny."""
    expected = _probabilities(_torch_logits(load_classifier(folder), probes))
    predictor = OnnxPredictor(graph, pad_id)
    alone = np.stack([predictor.logits([probe])[0] for probe in probes])
    together = np.stack(predictor.logits(probes))
    largest = 0.0
    for name, logits in (("alone", alone), ("in batches", together)):
        actual = _probabilities(logits)
        differing = int((actual.argmax(axis=1) != expected.argmax(axis=1)).sum())
        difference = float(np.abs(actual - expected).max())
        if differing or not difference <= LARGEST_DIFFERENCE:
            raise BuildError(
                f"the ONNX graph is not the PyTorch model: {differing} of {len(probes)} probe labels differ {name}, "
                f"probabilities by up to {difference:.2g}; the archive was not written"
            )
        largest = max(largest, difference)
    return largest


def _torch_logits(model: PreTrainedModel, probes: list[EncodedText]) -> Matrix:
    rows = []
    with torch.inference_mode():
        for probe in probes:
            inputs = {
                "input_ids": torch.tensor([probe.ids]),
                "attention_mask": torch.ones(1, len(probe)).long(),
            }
            if getattr(model.config, "type_vocab_size", 0) > 1:
                inputs["token_type_ids"] = torch.tensor([probe.type_ids])
            rows.append(model(**inputs).logits[0].numpy())
    return np.stack(rows)


def _probabilities(logits: Matrix) -> Matrix:
    scaled = np.exp(logits - logits.max(axis=1, keepdims=True))
    return np.asarray(scaled / scaled.sum(axis=1, keepdims=True))


def _strip_notes(graph: onnx.ModelProto) -> None:
    graph.doc_string = ""
    del graph.metadata_props[:]
    for part in (graph.graph, *graph.functions):
        del part.metadata_props[:]
        part.doc_string = ""
        for node in part.node:
            del node.metadata_props[:]
            node.doc_string = ""
    for value in (*graph.graph.value_info, *graph.graph.input, *graph.graph.output, *graph.graph.initializer):
        del value.metadata_props[:]
        value.doc_string = ""
