"""PyTorch checkpoint → ONNX graph, refused where the two disagree.

An exporter can produce a wrong graph without an error (swapped inputs, a shape frozen at the example's), so the graph
is run on probe texts of many lengths, alone and padded in batches, before it is served.
"""

import logging
import warnings
from collections.abc import Sequence
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path

import numpy as np
import numpy.typing as npt
import onnx
import torch

from model_archives.errors import BuildError
from model_archives.handlers.encoded_text import EncodedText
from model_archives.handlers.networks import load_network
from model_archives.handlers.onnx_predictor import GRAPH_OUTPUT, OnnxPredictor, Scores

# A fiftieth of what could be seen on a page; float32 graphs agree to about 1e-6.
LARGEST_DIFFERENCE = 2e-4
EXAMPLE_SHAPE = (2, 16)
INPUTS = ("input_ids", "attention_mask", "token_type_ids")
Shares = npt.NDArray[np.float64]


def export_onnx(folder: Path, destination: Path) -> None:
    """Write the graph of the network in `folder`, without the exporter's notes on source files and stacks."""
    network = load_network(folder)
    # One tensor per input: the exporter folds inputs that share a tensor into one.
    example = {name: torch.ones(EXAMPLE_SHAPE, dtype=torch.long) for name in INPUTS}
    axes = {0: torch.export.Dim("batch"), 1: torch.export.Dim("sequence")}
    logging.getLogger("torch.onnx").setLevel(logging.ERROR)
    try:
        with warnings.catch_warnings(), redirect_stdout(StringIO()):
            warnings.simplefilter("ignore")
            program = torch.onnx.export(
                network,
                kwargs=example,
                dynamic_shapes=dict.fromkeys(INPUTS, axes),
                output_names=[GRAPH_OUTPUT],
                dynamo=True,
            )
    except torch.onnx.OnnxExporterError as error:
        raise BuildError(f"{type(network).__name__} cannot be exported to ONNX: {error}") from error
    if program is None:
        raise BuildError("the ONNX exporter returned nothing")
    graph = program.model_proto
    _strip_notes(graph)
    destination.write_bytes(graph.SerializeToString(deterministic=True))


def check_onnx(
    folder: Path, graph: Path, pad_id: int, probes: Sequence[EncodedText], task_type: str
) -> float:
    """Return the largest difference of a probability. Raises BuildError if it is not tiny."""
    expected = [_shares(scores, task_type) for scores in _torch_scores(folder, probes)]
    predictor = OnnxPredictor(graph, pad_id)
    alone = [predictor.scores([probe])[0] for probe in probes]
    together = predictor.scores(probes)
    largest = 0.0
    for name, answered in (("alone", alone), ("in batches", together)):
        # Behind a text's own tokens a batch holds scores of padding.
        actual = [
            _shares(scores[: len(shares)], task_type)
            for scores, shares in zip(answered, expected, strict=True)
        ]
        pairs = list(zip(actual, expected, strict=True))
        differing = sum((one.argmax(axis=0) != other.argmax(axis=0)).any() for one, other in pairs)
        difference = max(float(np.abs(one - other).max()) for one, other in pairs)
        if not difference <= LARGEST_DIFFERENCE:
            raise BuildError(
                f"the ONNX graph is not the PyTorch model: {differing} of {len(probes)} probe answers differ {name}, "
                f"probabilities by up to {difference:.2g}; the archive was not written"
            )
        largest = max(largest, difference)
    return largest


def _torch_scores(folder: Path, probes: Sequence[EncodedText]) -> list[Scores]:
    network = load_network(folder)
    torch.set_num_threads(1)
    with torch.inference_mode():
        return [
            network(
                torch.tensor([probe.ids]), torch.ones(1, len(probe)).long(), torch.tensor([probe.type_ids])
            )[0].numpy()
            for probe in probes
        ]


def _shares(scores: Scores, task_type: str) -> Shares:
    """Probabilities of labels, alone or against each other, or of positions as start and as end."""
    if task_type == "multilabel-classification":
        return np.asarray(1 / (1 + np.exp(-scores.astype(np.float64))))
    scaled = np.exp(scores.astype(np.float64) - scores.max(axis=0))
    return np.asarray(scaled / scaled.sum(axis=0))


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
