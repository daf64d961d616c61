"""Tiny models with random weights, and archives of them called in process the way TorchServe calls them."""

import json
import os
import zipfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from model_archives.base_encoders import MINILM, base_encoder_folder
from model_archives.handlers.serving import TargetHandler
from model_archives.handlers.small_networks import SMALL_NETWORKS
from model_archives.packaging import ArchiveNote, package
from model_archives.training.evaluation import UnpackedArchive, handler_of
from safetensors.torch import save_file
from transformers import (
    BertConfig,
    BertForQuestionAnswering,
    BertForSequenceClassification,
    PreTrainedModel,
)

TINY = {
    "hidden_size": 32,
    "num_hidden_layers": 2,
    "num_attention_heads": 2,
    "intermediate_size": 64,
    "max_position_embeddings": 128,
}
TINY_LABELS = {"id2label": {0: "no", 1: "yes"}, "label2id": {"no": 0, "yes": 1}}


def write_tiny_checkpoint(folder: Path, model: PreTrainedModel | None = None) -> Path:
    """A standard BERT with random weights and a real vocabulary: packaged in a second or two."""
    folder.mkdir(parents=True)
    torch.manual_seed(7)
    (model or BertForSequenceClassification(BertConfig(**TINY, **TINY_LABELS))).save_pretrained(folder)
    for name in ("tokenizer.json", "tokenizer_config.json"):
        (folder / name).write_bytes((base_encoder_folder(MINILM) / name).read_bytes())
    return folder


def write_tiny_network(
    folder: Path, architecture: str, sizes: dict[str, Any], features: dict[str, Any] | None = None
) -> Path:
    """A small network with random weights, with a tokenizer unless it reads n-grams."""
    folder.mkdir(parents=True)
    torch.manual_seed(7)
    network = SMALL_NETWORKS[architecture](**sizes)
    # Random n-gram vectors are too small for an answer to depend on the text.
    torch.nn.init.normal_(network.embeddings.weight)
    save_file(network.state_dict(), folder / "model.safetensors")
    labels = {"id2label": {str(index): f"label {index}" for index in range(sizes["labels"])}}
    config = {"architectures": [architecture], "network": sizes, "pad_token_id": 0} | labels
    if features:
        config["features"] = features
    else:
        (folder / "tokenizer.json").write_bytes((base_encoder_folder(MINILM) / "tokenizer.json").read_bytes())
    (folder / "config.json").write_text(json.dumps(config))
    return folder


def write_checkpoint_of(task_type: str, folder: Path) -> Path:
    """A tiny checkpoint for the task type; classification of several fields reads n-grams."""
    torch.manual_seed(7)
    if task_type == "extractive-qa":
        return write_tiny_checkpoint(folder, BertForQuestionAnswering(BertConfig(**TINY)))
    if task_type == "multilabel-classification":
        sizes = {"vocabulary": 66, "labels": 3, "width": 8, "dropout": 0.0}
        return write_tiny_network(folder, "HashedNgrams", sizes, {"kind": "words", "buckets": 64})
    return write_tiny_checkpoint(folder)


@dataclass(frozen=True)
class Served:
    """An archive called in process as TorchServe would: once to predict, once to explain."""

    archive: Path
    note: ArchiveNote
    predicting: TargetHandler
    explaining: TargetHandler

    def predict(self, instances: list[Any]) -> list[Any]:
        answers: list[Any] = self._ask(self.predicting, {"instances": instances})["predictions"]
        return answers

    def explain(self, instances: list[Any], **parameters: Any) -> list[Any]:
        asked = {"instances": instances, "parameters": parameters}
        answers: list[Any] = self._ask(self.explaining, asked)["explanations"]
        return answers

    def _ask(self, handler: TargetHandler, body: dict[str, Any]) -> Any:
        return json.loads(handler.handle([{"body": body}], UnpackedArchive(self.archive.parent))[0])


def serve(
    checkpoint: Path,
    folder: Path,
    task_type: str,
    fields: tuple[str, ...] = (),
    max_tokens: int | None = None,
) -> Served:
    """Package and load a checkpoint; lowering the priority of the test run could not be undone."""
    archive = folder / "tiny.mar"
    note = package(checkpoint, archive, "tiny", "1", lambda line: None, task_type, fields, max_tokens)
    with zipfile.ZipFile(archive) as contents:
        contents.extractall(folder / "unpacked")
    niceness, os.nice = os.nice, lambda increment: 0
    try:
        predicting = handler_of(folder / "unpacked", task_type)
        explaining = handler_of(folder / "unpacked", task_type, "tiny-explain")
    finally:
        os.nice = niceness
    return Served(archive, note, predicting, explaining)
