"""Starter models: a linear head over the frozen base encoder, fitted to a few examples a label.

The head is the only trained part, so a build takes seconds. Such a model is weak: it is an opponent for the first
rounds of a task whose labels no other model knows.
"""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import torch

from model_archives.adapters import write_adapted_checkpoint
from model_archives.base_encoders import MINILM, base_encoder_folder
from model_archives.errors import BuildError
from model_archives.handlers.encoders import MeanPooledBertForSequenceClassification
from model_archives.handlers.tokenisation import TextTokenizer, our_reading
from model_archives.training.examples import LabelledText
from model_archives.training.fitting import label_set_loss, one_label_loss, padded_inputs

SEVERAL_LABELS = "multilabel-classification"
MOST_TOKENS = 256
MOST_EXAMPLES, AT_ONCE = 2_000, 32
STEPS, PENALTY = 60, 0.01
"""Steps of L-BFGS on all examples, and the weight of the squared head in the loss."""


def write_starter_checkpoint(starter: Path, task_type: str, fields: int) -> None:
    """Write weights, configuration and tokenizer into the folder of `starter.json`. Raises BuildError."""
    labels, examples = read_starter(starter, fields)
    base = base_encoder_folder(MINILM)
    torch.set_num_threads(1)
    vectors = _vectors(base, [example.texts for example in examples])
    weight, bias = _head(vectors, labels, examples, has_several=task_type == SEVERAL_LABELS)
    head = {"classifier.weight": weight.numpy(), "classifier.bias": bias.numpy()}
    architecture = MeanPooledBertForSequenceClassification.__name__
    write_adapted_checkpoint(base, architecture, labels, head, starter.parent)


def read_starter(path: Path, fields: int) -> tuple[tuple[str, ...], list[LabelledText]]:
    """Return the labels and the examples; the name of a label is an example of it for models of one text.

    Raises BuildError.
    """
    try:
        content: Any = json.loads(path.read_text(encoding="utf-8"))
        labels = tuple(str(label) for label in content["labels"])
        given = [
            LabelledText(tuple(map(str, each["texts"])), tuple(map(str, each["labels"])), "")
            for each in content["examples"]
        ]
    except (KeyError, TypeError, ValueError) as error:
        raise BuildError(f"{path.name} is no starter model: {error!r}") from error
    names = [LabelledText((label,), (label,), "") for label in labels] if fields == 1 else []
    examples = [*names, *given]
    if len(labels) < 2 or len(set(labels)) != len(labels):
        raise BuildError(f"{path.name} needs at least two different labels")
    if len(examples) > MOST_EXAMPLES:
        raise BuildError(f"{path.name} has more than {MOST_EXAMPLES} examples")
    for each in examples:
        if len(each.texts) != fields or not each.labels or not set(each.labels) <= set(labels):
            raise BuildError(
                f"{path.name}: each example needs labels of the list and this number of texts: {fields}"
            )
    if {label for each in examples for label in each.labels} != set(labels):
        raise BuildError(f"{path.name} needs an example of each label")
    return labels, examples


def _vectors(base: Path, texts: Sequence[tuple[str, ...]]) -> torch.Tensor:
    """Mean token vectors of the texts, shape (texts, hidden size)."""
    tokenizer = TextTokenizer(our_reading(base), MOST_TOKENS)
    model = MeanPooledBertForSequenceClassification.from_pretrained(base, dtype=torch.float32).eval()
    model.classifier = torch.nn.Identity()
    encoded = [tokenizer.encode(*each) for each in texts]
    with torch.no_grad():
        parts = [
            model(**padded_inputs(encoded[start : start + AT_ONCE])).logits
            for start in range(0, len(encoded), AT_ONCE)
        ]
    return torch.cat(parts)


def _head(
    vectors: torch.Tensor, labels: Sequence[str], examples: Sequence[LabelledText], *, has_several: bool
) -> tuple[torch.Tensor, torch.Tensor]:
    """Weight and bias of penalised logistic regression; the vectors are scaled to a mean length of 1 for it."""
    scale = vectors.norm(dim=1).mean()
    if has_several:
        targets = torch.tensor([[float(label in each.labels) for label in labels] for each in examples])
    else:
        targets = torch.tensor([[float(labels.index(each.labels[0]))] for each in examples])
    loss = label_set_loss if has_several else one_label_loss
    weight = torch.zeros(len(labels), vectors.shape[1], requires_grad=True)
    bias = torch.zeros(len(labels), requires_grad=True)
    optimizer = torch.optim.LBFGS([weight, bias], max_iter=STEPS, line_search_fn="strong_wolfe")

    def cost() -> torch.Tensor:
        optimizer.zero_grad()
        total = loss(vectors / scale @ weight.T + bias, targets) + PENALTY * weight.square().sum()
        total.backward()
        return total

    optimizer.step(cost)
    return weight.detach() / scale, bias.detach()
